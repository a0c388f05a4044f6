CREATE TABLE `hand_backs` (
	`judgement_id` text NOT NULL,
	`runner_id` text NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`wait_seconds` integer NOT NULL,
	PRIMARY KEY(`judgement_id`, `runner_id`),
	FOREIGN KEY (`judgement_id`) REFERENCES `judgements`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`runner_id`) REFERENCES `runners`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `hand_backs_runner` ON `hand_backs` (`runner_id`);--> statement-breakpoint
CREATE INDEX `hand_backs_first` ON `hand_backs` (`first_at`);--> statement-breakpoint
ALTER TABLE `judgements` ADD `hold_until` integer;--> statement-breakpoint
ALTER TABLE `judgements` ADD `plan` text;--> statement-breakpoint
CREATE INDEX `judgements_ready` ON `judgements` (`priority`,`rank`,`id`) WHERE finished_at is null and lease_until is null;--> statement-breakpoint
CREATE INDEX `judgements_resting` ON `judgements` (`lease_until`) WHERE finished_at is null and lease_until is not null;--> statement-breakpoint
ALTER TABLE `runners` ADD `slot_limit` integer DEFAULT 64 NOT NULL;--> statement-breakpoint
ALTER TABLE `runners` ADD `refused_results` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `runners` ADD `last_refusal` text;--> statement-breakpoint
ALTER TABLE `runners` ADD `self_registered` integer DEFAULT false NOT NULL;