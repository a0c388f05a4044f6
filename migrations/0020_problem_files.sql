CREATE TABLE `problem_files` (
	`problem_id` integer NOT NULL,
	`file_id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`problem_id`, `file_id`),
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `problem_files_file` ON `problem_files` (`file_id`);