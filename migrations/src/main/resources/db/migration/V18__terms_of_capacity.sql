-- On what terms an attempt has the capacity of its rung: longest run, and price of a chip and hour.
ALTER TABLE attempt ADD COLUMN terms jsonb;
