ALTER TABLE `problem_results` ADD `quota_since` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `problem_results` ADD `quota_uses` integer DEFAULT 0 NOT NULL;