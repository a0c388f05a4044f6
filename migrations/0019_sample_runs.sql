CREATE TABLE `sample_runs` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`problem_id` integer NOT NULL,
	`language_type` integer NOT NULL,
	`code` blob,
	`inputs` text,
	`attempt` integer DEFAULT 0 NOT NULL,
	`lease` text,
	`lease_until` integer,
	`runner_id` text,
	`avoid_until` integer DEFAULT 0 NOT NULL,
	`time_limit_ms` integer,
	`finished_at` integer,
	`result` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`runner_id`) REFERENCES `runners`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sample_runs_id_unique` ON `sample_runs` (`id`);--> statement-breakpoint
CREATE INDEX `sample_runs_open` ON `sample_runs` (`id`) WHERE finished_at is null;