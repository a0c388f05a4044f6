DROP TABLE `signup_hashes`;--> statement-breakpoint
ALTER TABLE `users` ADD `link_due_at` integer;--> statement-breakpoint
CREATE INDEX `users_link_due` ON `users` (`link_due_at`) WHERE link_due_at is not null and password_hash is null and disabled_at is null;