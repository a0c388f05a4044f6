ALTER TABLE `problem_results` ADD `attempts` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
UPDATE `problem_results` SET `attempts` = (
  SELECT json_group_object(value ->> 0, json_array(value ->> 1, value ->> 2, value ->> 3)) FROM json_each(`history`)
) WHERE `tries` <= 50;--> statement-breakpoint
ALTER TABLE `submissions` ADD `ordinal` integer;--> statement-breakpoint
CREATE INDEX `submissions_score` ON `submissions` (`user_id`,`problem_id`,`score`) WHERE status >= 0 and status <> 6;--> statement-breakpoint
CREATE INDEX `submissions_fastest` ON `submissions` (`user_id`,`problem_id`,`run_time_ms`,`id`) WHERE status = 0 and run_time_ms is not null;--> statement-breakpoint
CREATE INDEX `submissions_leanest` ON `submissions` (`user_id`,`problem_id`,`memory_kb`,`id`) WHERE status = 0 and memory_kb is not null;