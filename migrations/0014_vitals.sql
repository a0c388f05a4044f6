CREATE TABLE `vitals` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `runners` ADD `verdict_counts` text DEFAULT '[0,0,0,0,0,0,0,0]' NOT NULL;--> statement-breakpoint
ALTER TABLE `runners` ADD `busy_seconds` integer DEFAULT 0 NOT NULL;