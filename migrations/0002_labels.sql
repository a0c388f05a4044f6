DROP VIEW `homework_marks`;--> statement-breakpoint
DROP VIEW `homework_dates`;--> statement-breakpoint
-- The problem of a question may now be null. Messages move to a new table first, because dropping their questions would delete them.
CREATE TABLE `new_questions` (
	`id` text PRIMARY KEY NOT NULL,
	`course_id` integer NOT NULL,
	`problem_id` integer,
	`homework_id` text,
	`teacher_only` integer DEFAULT false NOT NULL,
	`submission_id` text,
	`line` integer,
	`student_id` integer NOT NULL,
	`state` text NOT NULL,
	`unread` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`homework_id`) REFERENCES `homeworks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`student_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
INSERT INTO `new_questions` (`id`, `course_id`, `problem_id`, `submission_id`, `line`, `student_id`, `state`, `unread`, `version`, `created_at`, `updated_at`) SELECT `id`, `course_id`, `problem_id`, `submission_id`, `line`, `student_id`, `state`, `unread`, `version`, `created_at`, `updated_at` FROM `questions`;--> statement-breakpoint
CREATE TABLE `new_question_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`question_id` text NOT NULL,
	`author_id` integer NOT NULL,
	`markdown` text NOT NULL,
	`idempotency_key` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`question_id`) REFERENCES `new_questions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
INSERT INTO `new_question_messages` (`id`, `question_id`, `author_id`, `markdown`, `idempotency_key`, `created_at`) SELECT `id`, `question_id`, `author_id`, `markdown`, `idempotency_key`, `created_at` FROM `question_messages`;--> statement-breakpoint
DROP TABLE `question_messages`;--> statement-breakpoint
DROP TABLE `questions`;--> statement-breakpoint
ALTER TABLE `new_questions` RENAME TO `questions`;--> statement-breakpoint
ALTER TABLE `new_question_messages` RENAME TO `question_messages`;--> statement-breakpoint
CREATE INDEX `questions_course` ON `questions` (`course_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `questions_problem` ON `questions` (`problem_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `questions_student` ON `questions` (`student_id`,`course_id`,`id`);--> statement-breakpoint
CREATE INDEX `questions_unread` ON `questions` (`student_id`,`course_id`) WHERE unread = 1;--> statement-breakpoint
CREATE INDEX `questions_submission` ON `questions` (`submission_id`,`problem_id`,`student_id`,`id`);--> statement-breakpoint
CREATE INDEX `question_messages_question` ON `question_messages` (`question_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `question_messages_author` ON `question_messages` (`author_id`,`idempotency_key`);--> statement-breakpoint
CREATE TABLE `asked_late_days` (
	`homework_id` text NOT NULL,
	`user_id` integer NOT NULL,
	`days` integer NOT NULL,
	`asked_at` integer NOT NULL,
	PRIMARY KEY(`homework_id`, `user_id`),
	FOREIGN KEY (`homework_id`) REFERENCES `homeworks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `asked_late_days_user` ON `asked_late_days` (`user_id`);--> statement-breakpoint
CREATE TABLE `date_requests` (
	`question_id` text PRIMARY KEY NOT NULL,
	`due` integer NOT NULL,
	`outcome` text,
	`granted_due` integer,
	`file_id` text,
	`file_name` text,
	`file_type` text,
	`file_bytes` integer,
	FOREIGN KEY (`question_id`) REFERENCES `questions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `date_requests_file` ON `date_requests` (`file_id`) WHERE file_id is not null;--> statement-breakpoint
CREATE TRIGGER `date_requests_deleted` AFTER DELETE ON `date_requests` WHEN old.file_id IS NOT NULL BEGIN
  INSERT OR IGNORE INTO orphans (key, since, is_expected) VALUES ('requests/' || old.file_id, unixepoch(), 1);
END;--> statement-breakpoint
CREATE TRIGGER `date_requests_file_replaced` AFTER UPDATE OF `file_id` ON `date_requests` WHEN old.file_id IS NOT NULL BEGIN
  INSERT OR IGNORE INTO orphans (key, since, is_expected) VALUES ('requests/' || old.file_id, unixepoch(), 1);
END;--> statement-breakpoint
CREATE TABLE `labels` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`name` text NOT NULL,
	`shown` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `labels_name` ON `labels` (`course_id`,`name`);--> statement-breakpoint
CREATE TABLE `late_day_budgets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`name` text NOT NULL,
	`size` integer NOT NULL,
	`most_each` integer NOT NULL,
	`spending` text NOT NULL,
	`moves_closing` integer NOT NULL,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `late_day_budgets_name` ON `late_day_budgets` (`course_id`,`name`);--> statement-breakpoint
CREATE TABLE `member_labels` (
	`course_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`label_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `course_id`, `label_id`),
	FOREIGN KEY (`label_id`) REFERENCES `labels`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`course_id`,`user_id`) REFERENCES `memberships`(`course_id`,`user_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `member_labels_label` ON `member_labels` (`label_id`,`user_id`);--> statement-breakpoint
DROP INDEX `homework_overrides_all`;--> statement-breakpoint
ALTER TABLE `homework_overrides` ADD `label_id` integer REFERENCES labels(id) ON DELETE cascade;--> statement-breakpoint
CREATE UNIQUE INDEX `homework_overrides_label` ON `homework_overrides` (`homework_id`,`label_id`) WHERE label_id is not null;--> statement-breakpoint
CREATE INDEX `homework_overrides_of_label` ON `homework_overrides` (`label_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `homework_overrides_all` ON `homework_overrides` (`homework_id`) WHERE user_id is null and label_id is null;--> statement-breakpoint
ALTER TABLE `courses` ADD `closed_at` integer;--> statement-breakpoint
ALTER TABLE `courses` ADD `copied_from_id` integer REFERENCES courses(id) ON DELETE set null;--> statement-breakpoint
CREATE INDEX `courses_copied_from` ON `courses` (`copied_from_id`) WHERE copied_from_id is not null;--> statement-breakpoint
ALTER TABLE `homeworks` ADD `budget_id` integer REFERENCES late_day_budgets(id) ON DELETE set null;--> statement-breakpoint
CREATE INDEX `homeworks_budget` ON `homeworks` (`budget_id`) WHERE budget_id is not null;--> statement-breakpoint
CREATE INDEX `questions_homework` ON `questions` (`homework_id`,`student_id`) WHERE homework_id is not null;--> statement-breakpoint
CREATE VIEW `label_overrides` AS
SELECT o.homework_id AS `homework_id`, ml.user_id AS `user_id`, o.label_id AS `label_id`, o.opens AS `opens`, o.due AS `due`,
  o.closes AS `closes`, o.grace_minutes AS `grace_minutes`, o.late_percent AS `late_percent`, o.quota AS `quota`,
  o.excused AS `excused`, o.reason AS `reason`
FROM member_labels ml
CROSS JOIN homework_overrides o ON o.label_id = ml.label_id
CROSS JOIN memberships m ON m.course_id = ml.course_id AND m.user_id = ml.user_id AND m.role = 'student';--> statement-breakpoint
CREATE VIEW `homework_dates` AS
-- Each field of labels stands once: SQLite looks for the labels each time that a field is named.
SELECT `homework_id`, `course_id`, `budget_id`, `user_id`, `opens`, `due`,
  max(coalesce(`closing`, 0), `due` + `grace_minutes` * 60) AS `closes`,
  `grace_minutes`, `late_percent`, `quota`, `excused`, `why`
FROM (
  SELECT h.id AS `homework_id`, h.course_id AS `course_id`, h.budget_id AS `budget_id`, u.id AS `user_id`,
    coalesce(p.opens, (SELECT min(l.opens) FROM label_overrides l WHERE l.homework_id = h.id AND l.user_id = u.id), a.opens, h.start_at) AS `opens`,
    max(coalesce(p.due, (SELECT max(l.due) FROM label_overrides l WHERE l.homework_id = h.id AND l.user_id = u.id), a.due, h.end_at), coalesce(a.due, 0)) AS `due`,
    max(coalesce(p.closes, (SELECT max(l.closes) FROM label_overrides l WHERE l.homework_id = h.id AND l.user_id = u.id), a.closes, h.close_at), coalesce(a.closes, 0)) AS `closing`,
    coalesce(p.grace_minutes, (SELECT max(l.grace_minutes) FROM label_overrides l WHERE l.homework_id = h.id AND l.user_id = u.id), a.grace_minutes, h.grace_minutes) AS `grace_minutes`,
    coalesce(p.late_percent, (SELECT max(l.late_percent) FROM label_overrides l WHERE l.homework_id = h.id AND l.user_id = u.id), a.late_percent) AS `late_percent`,
    coalesce(p.quota, (SELECT iif(min(l.quota) = -1, -1, max(l.quota)) FROM label_overrides l WHERE l.homework_id = h.id AND l.user_id = u.id), a.quota) AS `quota`,
    coalesce(p.excused, (SELECT max(l.excused) FROM label_overrides l WHERE l.homework_id = h.id AND l.user_id = u.id), a.excused, 0) AS `excused`,
    coalesce(nullif(p.reason, ''),
      (SELECT l.reason FROM label_overrides l WHERE l.homework_id = h.id AND l.user_id = u.id AND l.reason <> ''
        ORDER BY l.due DESC, l.label_id LIMIT 1),
      nullif(a.reason, ''), p.reason, (SELECT min(l.reason) FROM label_overrides l WHERE l.homework_id = h.id AND l.user_id = u.id), a.reason) AS `why`
  FROM homeworks h
  JOIN users u
  LEFT JOIN homework_overrides p ON p.homework_id = h.id AND p.user_id = u.id
    AND EXISTS (SELECT 1 FROM memberships m WHERE m.course_id = h.course_id AND m.user_id = u.id AND m.role = 'student')
  LEFT JOIN homework_overrides a INDEXED BY homework_overrides_all ON a.homework_id = h.id AND a.user_id IS NULL AND a.label_id IS NULL
);
