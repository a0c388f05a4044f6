CREATE TABLE `packs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`object_key` text NOT NULL,
	`course_id` integer NOT NULL,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `packs_object` ON `packs` (`object_key`);--> statement-breakpoint
CREATE INDEX `packs_course` ON `packs` (`course_id`);--> statement-breakpoint
ALTER TABLE `orphans` ADD `is_expected` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `submissions` ADD `pack_id` integer;--> statement-breakpoint
ALTER TABLE `submissions` ADD `pack_offset` integer;--> statement-breakpoint
ALTER TABLE `submissions` ADD `pack_bytes` integer;--> statement-breakpoint
ALTER TABLE `submissions` ADD `source_bytes` integer;