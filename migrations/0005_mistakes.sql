CREATE TABLE `hint_answers` (
	`hint_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`helped` integer NOT NULL,
	PRIMARY KEY(`hint_id`, `user_id`),
	FOREIGN KEY (`hint_id`) REFERENCES `hints`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `hint_answers_user` ON `hint_answers` (`user_id`);--> statement-breakpoint
CREATE TABLE `hints` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`problem_id` integer NOT NULL,
	`mistake` text,
	`task` integer,
	`case_index` integer,
	`markdown` text NOT NULL,
	`author_id` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`judging_changed_at_ms` integer,
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "hints_about" CHECK((mistake is null) = (task is not null and case_index is not null))
);
--> statement-breakpoint
CREATE INDEX `hints_problem` ON `hints` (`problem_id`,`id`);--> statement-breakpoint
CREATE TABLE `merged_mistakes` (
	`problem_id` integer NOT NULL,
	`mistake` text NOT NULL,
	`into` text NOT NULL,
	PRIMARY KEY(`problem_id`, `mistake`),
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `judgements` ADD `mistake` text;--> statement-breakpoint
ALTER TABLE `problem_results` ADD `failed_id` text;--> statement-breakpoint
ALTER TABLE `problem_results` ADD `mistake` text;--> statement-breakpoint
CREATE INDEX `memberships_staff` ON `memberships` (`course_id`,`user_id`,`role`) WHERE role <> 'student';