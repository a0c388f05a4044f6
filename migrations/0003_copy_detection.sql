CREATE TABLE `copycat_reports` (
	`problem_id` integer PRIMARY KEY NOT NULL,
	`job_id` text,
	`report` text,
	`common` text,
	`created_at` integer,
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `copycat_reports_job` ON `copycat_reports` (`job_id`);