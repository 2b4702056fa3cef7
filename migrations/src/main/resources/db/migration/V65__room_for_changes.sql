-- SPDX-License-Identifier: Apache-2.0

-- Room for a second version of each row. Jobs and attempts change two or three times, soon after they are inserted; with
-- less room about half of their new versions go to another page, and so enter each index again.
ALTER TABLE job SET (fillfactor = 50);
ALTER TABLE attempt SET (fillfactor = 50);
