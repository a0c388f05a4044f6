-- Rows in the order of their keys: one row written for a new limit instead of two. What is lost is worth minutes.
DROP TABLE `rate_limits`;--> statement-breakpoint
CREATE TABLE `rate_limits` (
	`key` text PRIMARY KEY NOT NULL,
	`full_at_ms` integer NOT NULL,
	`allowed` integer NOT NULL
) WITHOUT ROWID;
