ALTER TABLE `homeworks` ADD `scoreboard_names` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- No page asked who sees the scoreboard, and nobody but staff did: so it stays.
UPDATE `homeworks` SET `scoreboard_status` = 1;
