DROP INDEX `judgements_queue`;--> statement-breakpoint
DROP INDEX `judgements_ticket`;--> statement-breakpoint
DROP INDEX `judgements_runner`;--> statement-breakpoint
CREATE INDEX `judgements_open` ON `judgements` (`ticket_at`,`id`) WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX `judgements_runner` ON `judgements` (`runner_id`) WHERE finished_at is null and runner_id is not null;--> statement-breakpoint
DROP INDEX `rate_limits_full`;--> statement-breakpoint
DROP INDEX `submissions_problem`;--> statement-breakpoint
DROP INDEX `submissions_by`;--> statement-breakpoint
DROP INDEX `submissions_by_status`;--> statement-breakpoint
DROP INDEX `submissions_by_user`;--> statement-breakpoint
DROP INDEX `submissions_by_user_status`;--> statement-breakpoint
DROP INDEX `submissions_by_course_user`;--> statement-breakpoint
DROP INDEX `submissions_by_course_user_status`;--> statement-breakpoint
DROP INDEX `submissions_by_problem_user`;--> statement-breakpoint
DROP INDEX `submissions_by_problem_user_status`;--> statement-breakpoint
DROP INDEX `submissions_addressed`;--> statement-breakpoint
DROP INDEX `submissions_by_course`;--> statement-breakpoint
DROP INDEX `submissions_by_course_status`;--> statement-breakpoint
DROP INDEX `submissions_by_problem`;--> statement-breakpoint
DROP INDEX `submissions_by_problem_status`;--> statement-breakpoint
CREATE INDEX `submissions_pending` ON `submissions` (`id`) WHERE status = -1;--> statement-breakpoint
CREATE INDEX `submissions_by_course` ON `submissions` (`course_id`,`language_type`,`id`);--> statement-breakpoint
CREATE INDEX `submissions_by_course_status` ON `submissions` (`course_id`,`status`,`language_type`,`id`) WHERE status >= 0;--> statement-breakpoint
CREATE INDEX `submissions_by_problem` ON `submissions` (`problem_id`,`language_type`,`id`);--> statement-breakpoint
CREATE INDEX `submissions_by_problem_status` ON `submissions` (`problem_id`,`status`,`language_type`,`id`) WHERE status >= 0;