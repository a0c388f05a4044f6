DROP INDEX `questions_submission`;--> statement-breakpoint
CREATE INDEX `questions_submission` ON `questions` (`submission_id`,`problem_id`,`student_id`,`id`);