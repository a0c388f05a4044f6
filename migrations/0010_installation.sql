CREATE TABLE `installation` (
	`id` integer PRIMARY KEY NOT NULL,
	`token` text,
	`state` text NOT NULL,
	`held` text,
	`confirmed_at` integer,
	CONSTRAINT "installation_one" CHECK("installation"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `orphans` (
	`key` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `courses` ADD `purge_marked_at` integer;