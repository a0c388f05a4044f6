CREATE TABLE `question_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`question_id` text NOT NULL,
	`author_id` integer NOT NULL,
	`markdown` text NOT NULL,
	`idempotency_key` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`question_id`) REFERENCES `questions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `question_messages_question` ON `question_messages` (`question_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `question_messages_author` ON `question_messages` (`author_id`,`idempotency_key`);--> statement-breakpoint
CREATE TABLE `questions` (
	`id` text PRIMARY KEY NOT NULL,
	`course_id` integer NOT NULL,
	`problem_id` integer NOT NULL,
	`submission_id` text,
	`line` integer,
	`student_id` integer NOT NULL,
	`state` text NOT NULL,
	`unread` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`student_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `questions_course` ON `questions` (`course_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `questions_problem` ON `questions` (`problem_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `questions_student` ON `questions` (`student_id`,`course_id`,`id`);--> statement-breakpoint
CREATE INDEX `questions_unread` ON `questions` (`student_id`,`course_id`) WHERE unread = 1;--> statement-breakpoint
CREATE INDEX `questions_submission` ON `questions` (`submission_id`,`id`);--> statement-breakpoint
CREATE TABLE `saved_replies` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`replies` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
