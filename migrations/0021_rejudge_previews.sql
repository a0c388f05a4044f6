ALTER TABLE `judgements` ADD `preview_id` text;--> statement-breakpoint
CREATE INDEX `judgements_preview` ON `judgements` (`preview_id`,`finished_at`,`id`) WHERE preview_id is not null;--> statement-breakpoint
ALTER TABLE `problems` ADD `judging_changed_at_ms` integer;--> statement-breakpoint
ALTER TABLE `problems` ADD `preview_id` text;--> statement-breakpoint
CREATE INDEX `problems_preview` ON `problems` (`preview_id`) WHERE preview_id is not null;--> statement-breakpoint
CREATE INDEX `submissions_judged` ON `submissions` (`problem_id`,`judgement_id`);--> statement-breakpoint
UPDATE `problems` SET `judging_changed_at_ms` = (SELECT `created_at` * 1000 FROM `test_data_versions` WHERE `id` = `test_data_version`);