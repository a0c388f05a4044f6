DROP INDEX `judgements_preview`;--> statement-breakpoint
DROP INDEX `judgements_operation`;--> statement-breakpoint
ALTER TABLE `judgements` ADD `rejudge_id` text;--> statement-breakpoint
CREATE INDEX `judgements_rejudge` ON `judgements` (`rejudge_id`,`finished_at`,`id`) WHERE rejudge_id is not null;--> statement-breakpoint
ALTER TABLE `judgements` DROP COLUMN `preview_id`;--> statement-breakpoint
ALTER TABLE `judgements` DROP COLUMN `operation_id`;--> statement-breakpoint
DROP INDEX `problems_preview`;--> statement-breakpoint
ALTER TABLE `problems` ADD `rejudge_id` text;--> statement-breakpoint
ALTER TABLE `problems` DROP COLUMN `preview_id`;