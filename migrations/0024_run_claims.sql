DROP INDEX `sample_runs_open`;--> statement-breakpoint
ALTER TABLE `sample_runs` ADD `hold_until` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `sample_runs_open` ON `sample_runs` (`id`,`attempt`,`lease_until`,`runner_id`,`avoid_until`,`hold_until`,`finished_at`) WHERE finished_at is null;