DROP INDEX `users_email_unique`;--> statement-breakpoint
ALTER TABLE `users` ADD `email_confirmed_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `made_in_course_id` integer REFERENCES courses(id) ON DELETE set null;--> statement-breakpoint
CREATE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_confirmed_email` ON `users` (`email`) WHERE email_confirmed_at is not null;--> statement-breakpoint
CREATE INDEX `users_made_in` ON `users` (`made_in_course_id`) WHERE made_in_course_id is not null;--> statement-breakpoint
ALTER TABLE `account_links` ADD `new_email` text;--> statement-breakpoint
-- What counts from now on: staff, whom an admin made so; whoever used a mailed link; whom an admin made. Not where a
-- teacher's forced file may have replaced the address before its owner first signed in.
UPDATE `users` SET `email_confirmed_at` = `created_at` WHERE substr(`username_key`, 1, 1) <> '*' AND (
	`role` < 2 OR (
		(
			`id` IN (SELECT cast(`subject` AS integer) FROM `audit_entries` WHERE `action` IN ('user.activate', 'user.password_reset', 'user.create'))
			OR (
				`created_at` IN (SELECT b.`created_at` FROM `audit_entries` b JOIN `users` a ON a.`id` = b.`actor_id`
					WHERE b.`action` = 'user.batch_signup' AND a.`role` = 0)
				AND `created_at` NOT IN (SELECT b.`created_at` FROM `audit_entries` b LEFT JOIN `users` a ON a.`id` = b.`actor_id`
					WHERE b.`action` = 'user.batch_signup' AND a.`role` IS NOT 0)
			)
		)
		AND `id` NOT IN (
			SELECT m.`user_id` FROM `audit_entries` f LEFT JOIN `users` a ON a.`id` = f.`actor_id`
				JOIN `courses` c ON c.`name` = f.`subject` JOIN `memberships` m ON m.`course_id` = c.`id`
			WHERE f.`action` = 'user.batch_signup' AND a.`role` IS NOT 0 AND f.`detail` ->> 'updated' > 0
				AND NOT EXISTS (SELECT 1 FROM `audit_entries` r
					WHERE r.`actor_id` = m.`user_id` AND r.`action` = 'session.begin' AND r.`id` < f.`id`)
		)
	)
);--> statement-breakpoint
-- A file's accounts and its entry in the audit log are of the same second.
UPDATE `users` SET `made_in_course_id` = b.`course_id` FROM (
	SELECT e.`created_at`, max(c.`id`) AS `course_id` FROM `audit_entries` e LEFT JOIN `users` a ON a.`id` = e.`actor_id`
		LEFT JOIN `courses` c ON c.`name` = e.`subject`
	WHERE e.`action` = 'user.batch_signup' AND a.`role` IS NOT 0 GROUP BY e.`created_at` HAVING count(*) = 1
) b WHERE `users`.`created_at` = b.`created_at` AND `users`.`role` = 2
	AND `users`.`id` NOT IN (SELECT cast(`subject` AS integer) FROM `audit_entries` WHERE `action` = 'user.create');
