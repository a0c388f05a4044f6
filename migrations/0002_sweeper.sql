CREATE TABLE `sweep_positions` (
	`prefix` text PRIMARY KEY NOT NULL,
	`after` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `courses_deleted` ON `courses` (`deleted_at`) WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX `test_data_versions_object` ON `test_data_versions` (`object_key`);