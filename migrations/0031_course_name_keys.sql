ALTER TABLE `courses` ADD `name_key` text;--> statement-breakpoint
-- SQLite folds ASCII only; of two names that differ in case the older course gets the key.
UPDATE `courses` SET `name_key` = lower(`name`) WHERE `id` = (SELECT min(c.`id`) FROM `courses` c WHERE lower(c.`name`) = lower(`courses`.`name`));--> statement-breakpoint
CREATE UNIQUE INDEX `courses_nameKey_unique` ON `courses` (`name_key`);
