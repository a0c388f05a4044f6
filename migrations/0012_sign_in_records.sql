-- What was typed as a name goes, and with it the attempts on names that nobody has: some of it were passwords.
DELETE FROM `login_records` WHERE `user_id` IS NULL;--> statement-breakpoint
DROP INDEX `login_records_ip`;--> statement-breakpoint
ALTER TABLE `login_records` DROP COLUMN `account`;
