CREATE TABLE `course_webhooks` (
	`course_id` integer PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`secret` text NOT NULL,
	`sent_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`failing_since` integer,
	`next_try_at` integer DEFAULT 0 NOT NULL,
	`fault` text,
	`off_at` integer,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `join_codes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`code_hash` text NOT NULL,
	`code` text,
	`role` text NOT NULL,
	`email` text,
	`label_id` integer,
	`until` integer,
	`most` integer,
	`domains` text NOT NULL,
	`approval` integer NOT NULL,
	`joined` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`label_id`) REFERENCES `labels`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `join_codes_codeHash_unique` ON `join_codes` (`code_hash`);--> statement-breakpoint
CREATE INDEX `join_codes_course` ON `join_codes` (`course_id`,`id`);--> statement-breakpoint
CREATE TABLE `join_requests` (
	`course_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`join_code_id` integer,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`course_id`, `user_id`),
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`join_code_id`) REFERENCES `join_codes`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `join_requests_user` ON `join_requests` (`user_id`);--> statement-breakpoint
CREATE INDEX `join_requests_code` ON `join_requests` (`join_code_id`) WHERE join_code_id is not null;--> statement-breakpoint
CREATE TABLE `notice_mails` (
	`due_at` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`due_at`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `notice_settings` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`seen_id` integer DEFAULT 0 NOT NULL,
	`mailed_id` integer DEFAULT 0 NOT NULL,
	`deliveries` text DEFAULT '{}' NOT NULL,
	`muted_courses` text DEFAULT '[]' NOT NULL,
	`mails_off` integer DEFAULT false NOT NULL,
	`unsubscribe_key` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notice_settings_unsubscribeKey_unique` ON `notice_settings` (`unsubscribe_key`);--> statement-breakpoint
CREATE TABLE `notices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`course_id` integer NOT NULL,
	`user_id` integer,
	`subject_id` text,
	`at` integer,
	`actor_id` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`actor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `notices_course` ON `notices` (`course_id`,`id`) WHERE user_id is null;--> statement-breakpoint
CREATE INDEX `notices_created` ON `notices` (`created_at`);--> statement-breakpoint
CREATE INDEX `notices_user` ON `notices` (`user_id`,`id`) WHERE user_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `notices_at` ON `notices` (`kind`,`subject_id`,`at`) WHERE at is not null;--> statement-breakpoint
ALTER TABLE `memberships` ADD `join_code_id` integer REFERENCES `join_codes`(`id`) ON DELETE set null;--> statement-breakpoint
CREATE INDEX `memberships_join_code` ON `memberships` (`join_code_id`) WHERE join_code_id is not null;--> statement-breakpoint
ALTER TABLE `users` ADD `confirm_due_at` integer;--> statement-breakpoint
CREATE INDEX `homeworks_start` ON `homeworks` (`start_at`);--> statement-breakpoint
CREATE INDEX `homeworks_end` ON `homeworks` (`end_at`);--> statement-breakpoint
CREATE INDEX `homework_overrides_opens` ON `homework_overrides` (`opens`) WHERE opens is not null;--> statement-breakpoint
CREATE INDEX `homework_overrides_due` ON `homework_overrides` (`due`) WHERE due is not null;--> statement-breakpoint
CREATE INDEX `judgements_errors` ON `judgements` (`finished_at`) WHERE status = 6;--> statement-breakpoint
DROP INDEX `users_link_due`;--> statement-breakpoint
CREATE INDEX `users_link_due` ON `users` (`link_due_at`) WHERE link_due_at is not null and disabled_at is null and (password_hash is null or (confirm_due_at is not null and email_confirmed_at is null));