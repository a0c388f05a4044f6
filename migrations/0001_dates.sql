CREATE TABLE `calendar_links` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_links_tokenHash_unique` ON `calendar_links` (`token_hash`);--> statement-breakpoint
CREATE TABLE `homework_overrides` (
	`id` integer PRIMARY KEY NOT NULL,
	`homework_id` text NOT NULL,
	`user_id` integer,
	`opens` integer,
	`due` integer,
	`closes` integer,
	`grace_minutes` integer,
	`late_percent` integer,
	`quota` integer,
	`excused` integer,
	`reason` text DEFAULT '' NOT NULL,
	`setter_id` integer NOT NULL,
	`set_at` integer NOT NULL,
	FOREIGN KEY (`homework_id`) REFERENCES `homeworks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`setter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `homework_overrides_person` ON `homework_overrides` (`homework_id`,`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `homework_overrides_all` ON `homework_overrides` (`homework_id`) WHERE user_id is null;--> statement-breakpoint
CREATE INDEX `homework_overrides_user` ON `homework_overrides` (`user_id`);--> statement-breakpoint
CREATE TABLE `kept_marks` (
	`homework_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`problem_id` integer NOT NULL,
	`value` integer NOT NULL,
	PRIMARY KEY(`homework_id`, `user_id`, `problem_id`),
	FOREIGN KEY (`homework_id`) REFERENCES `homeworks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `kept_marks_user` ON `kept_marks` (`user_id`);--> statement-breakpoint
CREATE TABLE `staff_points` (
	`id` integer PRIMARY KEY NOT NULL,
	`homework_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`problem_id` integer,
	`hundredths` integer NOT NULL,
	`comment` text NOT NULL,
	`giver_id` integer NOT NULL,
	`given_at` integer NOT NULL,
	FOREIGN KEY (`homework_id`) REFERENCES `homeworks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`giver_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `staff_points_homework` ON `staff_points` (`homework_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `staff_points_user` ON `staff_points` (`user_id`);--> statement-breakpoint
ALTER TABLE `courses` ADD `counts` text DEFAULT 'best' NOT NULL;--> statement-breakpoint
ALTER TABLE `homework_problems` ADD `points` integer DEFAULT 100 NOT NULL;--> statement-breakpoint
ALTER TABLE `homeworks` ADD `close_at` integer;--> statement-breakpoint
ALTER TABLE `homeworks` ADD `grace_minutes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `homeworks` ADD `late_rule` text DEFAULT '{"kind":"none"}' NOT NULL;--> statement-breakpoint
ALTER TABLE `homeworks` ADD `counts` text;--> statement-breakpoint
CREATE VIEW `homework_dates` AS
SELECT `homework_id`, `course_id`, `user_id`, `opens`, `due`,
  max(coalesce(`closing`, `due`), `due` + `grace_minutes` * 60) AS `closes`,
  `grace_minutes`, `late_percent`, `quota`, `excused`, `why`
FROM (
  SELECT h.id AS `homework_id`, h.course_id AS `course_id`, u.id AS `user_id`,
    coalesce(p.opens, a.opens, h.start_at) AS `opens`,
    coalesce(max(p.due, a.due), p.due, a.due, h.end_at) AS `due`,
    coalesce(max(p.closes, a.closes), p.closes, a.closes, h.close_at) AS `closing`,
    coalesce(p.grace_minutes, a.grace_minutes, h.grace_minutes) AS `grace_minutes`,
    coalesce(p.late_percent, a.late_percent) AS `late_percent`,
    coalesce(p.quota, a.quota) AS `quota`,
    coalesce(p.excused, a.excused, 0) AS `excused`,
    coalesce(nullif(p.reason, ''), nullif(a.reason, ''), p.reason, a.reason) AS `why`
  FROM homeworks h
  JOIN users u
  LEFT JOIN homework_overrides p ON p.homework_id = h.id AND p.user_id = u.id
    AND EXISTS (SELECT 1 FROM memberships m WHERE m.course_id = h.course_id AND m.user_id = u.id AND m.role = 'student')
  LEFT JOIN homework_overrides a ON a.homework_id = h.id AND a.user_id IS NULL
);--> statement-breakpoint
CREATE VIEW `homework_marks` AS
SELECT `homework_id`, `problem_id`, `user_id`, `value` FROM (
  SELECT `homework_id`, `problem_id`, `user_id`, `value`,
    max(iif(`counts` = 'last', printf('%013d', `accepted_at`) || `id`, printf('%05d', `value`))) AS `chosen`
  FROM (
    SELECT `homework_id`, `problem_id`, `user_id`, `counts`, `id`, `accepted_at`,
      CASE WHEN `late` <= `grace_seconds` THEN `score` * 100
        WHEN `late_percent` IS NOT NULL THEN `score` * `late_percent`
        WHEN `kind` = 'steps' THEN `score` * coalesce((
          SELECT step.value ->> 'percent' FROM json_each(`rule`, '$.steps') step
          WHERE `late` > step.value ->> 'afterHours' * 3600
          ORDER BY step.key DESC LIMIT 1), 100)
        WHEN `kind` = 'none' THEN `score` * 100
        WHEN `how` = 'subtract' THEN max(0, `score` - (100 - `left`)) * 100
        WHEN `how` = 'cap' THEN min(`score`, `left`) * 100
        ELSE `score` * `left` END AS `value`
    FROM (
      SELECT d.homework_id AS `homework_id`, hp.problem_id AS `problem_id`, d.user_id AS `user_id`,
        d.grace_minutes * 60 AS `grace_seconds`, d.late_percent AS `late_percent`, coalesce(h.counts, c.counts) AS `counts`,
        s.id AS `id`, s.accepted_at AS `accepted_at`, s.score AS `score`, s.accepted_at - d.due AS `late`,
        h.late_rule AS `rule`, h.late_rule ->> 'kind' AS `kind`, h.late_rule ->> 'how' AS `how`,
        max(h.late_rule ->> 'floor', 100 - h.late_rule ->> 'percent'
          * ((s.accepted_at - d.due + h.late_rule ->> 'unitMinutes' * 60 - 1) / (h.late_rule ->> 'unitMinutes' * 60))) AS `left`
      FROM homeworks h
      JOIN courses c ON c.id = h.course_id
      JOIN memberships m ON m.course_id = h.course_id
      JOIN homework_dates d ON d.homework_id = h.id AND d.user_id = m.user_id
      JOIN homework_problems hp ON hp.homework_id = h.id
      CROSS JOIN submissions s INDEXED BY submissions_score ON s.user_id = m.user_id AND s.problem_id = hp.problem_id
      WHERE s.status >= 0 AND s.status <> 6 AND s.accepted_at BETWEEN d.opens AND d.closes
    )
  )
  GROUP BY `homework_id`, `problem_id`, `user_id`
);
