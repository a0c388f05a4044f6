ALTER TABLE `subtasks` ADD `is_sample` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `subtasks` SET `is_sample` = true WHERE `task_score` = 0;