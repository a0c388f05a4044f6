DROP INDEX `announcements_course`;--> statement-breakpoint
CREATE INDEX `announcements_course` ON `announcements` (`course_id`,`pinned`,`id`) WHERE deleted_at is null;