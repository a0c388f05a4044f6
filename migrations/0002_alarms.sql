CREATE TABLE `alarms` (
	`state` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	`over_at` integer,
	`webhook_told` text,
	`mail_told` text,
	`tries` integer DEFAULT 0 NOT NULL,
	`next_at` integer NOT NULL
);
