ALTER TABLE `judgements` ADD `outputs_pack_id` integer;--> statement-breakpoint
ALTER TABLE `judgements` ADD `outputs_offset` integer;--> statement-breakpoint
ALTER TABLE `judgements` ADD `outputs_bytes` integer;--> statement-breakpoint
CREATE INDEX `judgements_outputs_pack` ON `judgements` (`outputs_pack_id`) WHERE outputs_pack_id is not null;--> statement-breakpoint
ALTER TABLE `sweep_positions` ADD `rest_until` integer DEFAULT 0 NOT NULL;