// SPDX-License-Identifier: Apache-2.0

// This program takes a job from its submission to its end by a client that OpenAPI Generator made.
// It prints the job's id if all went as expected; otherwise it ends with another exit code than 0.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"example/sluice"
)

const patience = 2 * time.Minute

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	ctx = context.WithValue(ctx, sluice.ContextAccessToken, os.Getenv("SLUICE_TOKEN"))
	configuration := sluice.NewConfiguration()
	configuration.Servers = sluice.ServerConfigurations{{URL: os.Getenv("SLUICE_SERVER")}}
	id, err := takeToItsEnd(ctx, sluice.NewAPIClient(configuration))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(id)
}

func takeToItsEnd(ctx context.Context, client *sluice.APIClient) (string, error) {
	job := manifest("by-openapi-generator")
	preview, _, err := client.JobsAPI.SubmitJob(ctx).Manifest(job).DryRun(true).Execute()
	if err != nil {
		return "", explained("dry run", err)
	}
	if preview.ApplyAnswer == nil || !preview.ApplyAnswer.GetDryRun() {
		return "", fmt.Errorf("not the answer to a dry run: %+v", preview)
	}
	start, _, err := client.EventsAPI.WatchEvents(ctx).Execute()
	if err != nil {
		return "", explained("events", err)
	}
	answer, _, err := client.JobsAPI.SubmitJob(ctx).Manifest(job).Execute()
	if err != nil {
		return "", explained("submission", err)
	}
	if answer.JobAcknowledgement == nil {
		return "", fmt.Errorf("not the answer to a submission: %+v", answer)
	}
	id := answer.JobAcknowledgement.GetId()
	after, err := follow(ctx, client, id, start.GetNextAfter(), "AttemptStarted")
	if err != nil {
		return "", err
	}
	if _, _, err = client.JobsAPI.CancelJob(ctx, id).Execute(); err != nil {
		return "", explained("cancellation", err)
	}
	if _, err = follow(ctx, client, id, after, "JobFinished"); err != nil {
		return "", err
	}
	view, _, err := client.JobsAPI.GetJob(ctx, id).Execute()
	if err != nil {
		return "", explained("job", err)
	}
	if view.Status.GetState() != "CANCELLED" || view.Status.FinishedAt == nil {
		return "", fmt.Errorf("the job has the status %+v", view.Status)
	}
	return id, nil
}

func manifest(name string) sluice.Manifest {
	job := *sluice.NewManifest("sluice.io/v1", "Job")
	job.Metadata = map[string]interface{}{"name": name, "namespace": "team"}
	job.Spec = map[string]interface{}{
		"queue":       "main",
		"requests":    map[string]interface{}{"cpu": 1},
		"gracePeriod": "1s",
		"command":     []string{"sleep", "600"},
	}
	return job
}

// follow reads events until one of the job has that kind, and returns the event's id.
func follow(
	ctx context.Context, client *sluice.APIClient, id, after, kind string,
) (string, error) {
	for {
		page, _, err := client.EventsAPI.WatchEvents(ctx).After(after).Wait("10s").Execute()
		if err != nil {
			return "", explained("events until "+kind, err)
		}
		for _, event := range page.GetItems() {
			if event.Kind == kind && event.Job != nil && event.Job.Id == id {
				return event.Id, nil
			}
		}
		after = page.GetNextAfter()
	}
}

// explained adds the body of a refusal to its error.
func explained(request string, err error) error {
	var refusal *sluice.GenericOpenAPIError
	if errors.As(err, &refusal) {
		if problem, ok := refusal.Model().(sluice.Problem); ok {
			return fmt.Errorf("%s: %s: %s", request, problem.GetCode(), problem.GetDetail())
		}
		return fmt.Errorf("%s: %w: %s", request, err, refusal.Body())
	}
	return fmt.Errorf("%s: %w", request, err)
}
