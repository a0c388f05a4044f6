CREATE TABLE `gradebook_columns` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`kind` text NOT NULL,
	`homework_id` text,
	`name` text DEFAULT '' NOT NULL,
	`max` integer,
	`position` integer,
	`group_id` integer,
	`weight` integer,
	`is_extra` integer DEFAULT false NOT NULL,
	`shown` text NOT NULL,
	`decimals` integer DEFAULT 2 NOT NULL,
	`for_assistants` integer DEFAULT false NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`homework_id`) REFERENCES `homeworks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`group_id`) REFERENCES `gradebook_groups`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `gradebook_columns_course` ON `gradebook_columns` (`course_id`,`position`);--> statement-breakpoint
CREATE UNIQUE INDEX `gradebook_columns_homework` ON `gradebook_columns` (`homework_id`) WHERE homework_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `gradebook_columns_total` ON `gradebook_columns` (`course_id`) WHERE kind = 'total';--> statement-breakpoint
CREATE INDEX `gradebook_columns_group` ON `gradebook_columns` (`group_id`) WHERE group_id is not null;--> statement-breakpoint
CREATE TABLE `gradebook_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`name` text NOT NULL,
	`position` integer NOT NULL,
	`weight` integer,
	`drop_lowest` integer DEFAULT 0 NOT NULL,
	`cap_percent` integer DEFAULT 100 NOT NULL,
	`is_extra` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `gradebook_groups_course` ON `gradebook_groups` (`course_id`,`position`);--> statement-breakpoint
CREATE TABLE `held_marks` (
	`column_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`column_id`, `user_id`),
	FOREIGN KEY (`column_id`) REFERENCES `gradebook_columns`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `held_marks_user` ON `held_marks` (`user_id`);--> statement-breakpoint
CREATE TABLE `mark_settings` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`column_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`hundredths` integer,
	`is_excused` integer DEFAULT false NOT NULL,
	`reason` text NOT NULL,
	`setter_id` integer NOT NULL,
	`set_at` integer NOT NULL,
	FOREIGN KEY (`column_id`) REFERENCES `gradebook_columns`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`setter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `mark_settings_cell` ON `mark_settings` (`column_id`,`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `mark_settings_user` ON `mark_settings` (`user_id`);--> statement-breakpoint
CREATE TABLE `marks` (
	`user_id` integer NOT NULL,
	`column_id` integer NOT NULL,
	`hundredths` integer,
	`is_excused` integer DEFAULT false NOT NULL,
	`is_set` integer DEFAULT false NOT NULL,
	`is_kept` integer DEFAULT false NOT NULL,
	`changed_at` integer NOT NULL,
	`derivation` text,
	PRIMARY KEY(`user_id`, `column_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`column_id`) REFERENCES `gradebook_columns`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `marks_sorted` ON `marks` (`column_id`,`hundredths`,`user_id`);--> statement-breakpoint
CREATE TABLE `stale_marks` (
	`column_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`claim` text,
	`is_by_rule` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`column_id`, `user_id`),
	FOREIGN KEY (`column_id`) REFERENCES `gradebook_columns`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `questions` ADD `column_id` integer REFERENCES gradebook_columns(id) ON DELETE cascade;--> statement-breakpoint
ALTER TABLE `questions` ADD `mark_outcome` text;--> statement-breakpoint
CREATE INDEX `questions_column` ON `questions` (`column_id`,`student_id`) WHERE column_id is not null;--> statement-breakpoint
-- Triggers note which marks a change can move. Where a refresh has claimed the mark, they take the claim away, so that it computes the mark again.
-- Changes of the problems of a homework and of the rule of the total set is_by_rule.
-- The columns whose marks a change in a homework can move: its own, and those of homeworks that share its late days.
CREATE VIEW `moved_columns` AS
SELECT g.homework_id AS `homework_id`, g.course_id AS `course_id`, g.id AS `column_id` FROM gradebook_columns g WHERE g.homework_id IS NOT NULL
UNION ALL
SELECT h.id AS `homework_id`, g.course_id AS `course_id`, g.id AS `column_id`
FROM homeworks h
JOIN homeworks o ON o.budget_id = h.budget_id AND o.id <> h.id
JOIN gradebook_columns g ON g.homework_id = o.id;--> statement-breakpoint
CREATE TRIGGER `courses_total` AFTER INSERT ON `courses` BEGIN
  INSERT INTO gradebook_columns (course_id, kind, shown) VALUES (new.id, 'total', 'no');
END;--> statement-breakpoint
CREATE TRIGGER `homeworks_column` AFTER INSERT ON `homeworks` BEGIN
  INSERT INTO gradebook_columns (course_id, kind, homework_id, group_id, shown) VALUES (new.course_id, 'homework', new.id,
    (SELECT g.group_id FROM gradebook_columns g WHERE g.course_id = new.course_id AND g.kind = 'homework' ORDER BY g.id DESC LIMIT 1), 'yes');
END;--> statement-breakpoint
CREATE TRIGGER `problem_results_scored` AFTER INSERT ON `problem_results` WHEN new.scored > 0 BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM homework_problems p
  CROSS JOIN moved_columns c ON c.homework_id = p.homework_id
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = new.user_id AND m.role = 'student'
  WHERE p.problem_id = new.problem_id
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `problem_results_rescored` AFTER UPDATE OF `status_counts` ON `problem_results` WHEN new.status_counts <> old.status_counts BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM homework_problems p
  CROSS JOIN moved_columns c ON c.homework_id = p.homework_id
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = new.user_id AND m.role = 'student'
  WHERE p.problem_id = new.problem_id
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `homeworks_rules` AFTER UPDATE OF `start_at`, `end_at`, `close_at`, `grace_minutes`, `late_rule`, `counts`, `budget_id` ON `homeworks` WHEN (old.start_at, old.end_at, old.close_at, old.grace_minutes, old.late_rule, old.counts, old.budget_id) IS NOT (new.start_at, new.end_at, new.close_at, new.grace_minutes, new.late_rule, new.counts, new.budget_id) BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM moved_columns c
  JOIN memberships m ON m.course_id = c.course_id AND m.role = 'student'
  WHERE c.homework_id = new.id AND EXISTS (SELECT 1 FROM homework_problems p JOIN problem_results r ON r.problem_id = p.problem_id AND r.user_id = m.user_id WHERE p.homework_id = new.id)
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
  INSERT INTO stale_marks (column_id, user_id)
  SELECT g.id, m.user_id FROM homeworks h
  JOIN gradebook_columns g ON g.homework_id = h.id
  JOIN memberships m ON m.course_id = g.course_id AND m.role = 'student'
  WHERE h.budget_id = old.budget_id AND old.budget_id IS NOT new.budget_id AND EXISTS (SELECT 1 FROM homework_problems p JOIN problem_results r ON r.problem_id = p.problem_id AND r.user_id = m.user_id WHERE p.homework_id = new.id)
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
-- A day that a deleted homework used is free for the others.
CREATE TRIGGER `homeworks_deleted` AFTER DELETE ON `homeworks` WHEN old.budget_id IS NOT NULL BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT g.id, m.user_id FROM homeworks h
  JOIN gradebook_columns g ON g.homework_id = h.id
  JOIN memberships m ON m.course_id = g.course_id AND m.role = 'student'
  WHERE h.budget_id = old.budget_id AND EXISTS (SELECT 1 FROM homework_problems p JOIN problem_results r ON r.problem_id = p.problem_id AND r.user_id = m.user_id WHERE p.homework_id = h.id)
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `homework_problems_inserted` AFTER INSERT ON `homework_problems` BEGIN
  INSERT INTO stale_marks (column_id, user_id, is_by_rule)
  SELECT c.column_id, m.user_id, 1 FROM moved_columns c
  CROSS JOIN (SELECT user_id FROM problem_results WHERE problem_id = new.problem_id
    UNION SELECT user_id FROM staff_points WHERE homework_id = new.homework_id AND problem_id = new.problem_id) w
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = w.user_id AND m.role = 'student'
  WHERE c.homework_id = new.homework_id
  ON CONFLICT DO UPDATE SET claim = NULL, is_by_rule = 1 WHERE claim IS NOT NULL OR is_by_rule = 0;
  INSERT INTO stale_marks (column_id, user_id, is_by_rule)
  SELECT t.id, m.user_id, 1 FROM homeworks h
  JOIN gradebook_columns t ON t.course_id = h.course_id AND t.kind = 'total'
  JOIN memberships m ON m.course_id = h.course_id AND m.role = 'student'
  WHERE h.id = new.homework_id
  ON CONFLICT DO UPDATE SET claim = NULL, is_by_rule = 1 WHERE claim IS NOT NULL OR is_by_rule = 0;
END;--> statement-breakpoint
CREATE TRIGGER `homework_problems_deleted` AFTER DELETE ON `homework_problems` BEGIN
  INSERT INTO stale_marks (column_id, user_id, is_by_rule)
  SELECT c.column_id, m.user_id, 1 FROM moved_columns c
  CROSS JOIN (SELECT user_id FROM problem_results WHERE problem_id = old.problem_id
    UNION SELECT user_id FROM staff_points WHERE homework_id = old.homework_id AND problem_id = old.problem_id) w
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = w.user_id AND m.role = 'student'
  WHERE c.homework_id = old.homework_id
  ON CONFLICT DO UPDATE SET claim = NULL, is_by_rule = 1 WHERE claim IS NOT NULL OR is_by_rule = 0;
  INSERT INTO stale_marks (column_id, user_id, is_by_rule)
  SELECT t.id, m.user_id, 1 FROM homeworks h
  JOIN gradebook_columns t ON t.course_id = h.course_id AND t.kind = 'total'
  JOIN memberships m ON m.course_id = h.course_id AND m.role = 'student'
  WHERE h.id = old.homework_id
  ON CONFLICT DO UPDATE SET claim = NULL, is_by_rule = 1 WHERE claim IS NOT NULL OR is_by_rule = 0;
END;--> statement-breakpoint
CREATE TRIGGER `homework_problems_changed` AFTER UPDATE OF `points` ON `homework_problems` WHEN old.points <> new.points BEGIN
  INSERT INTO stale_marks (column_id, user_id, is_by_rule)
  SELECT c.column_id, m.user_id, 1 FROM moved_columns c
  CROSS JOIN (SELECT user_id FROM problem_results WHERE problem_id = new.problem_id
    UNION SELECT user_id FROM staff_points WHERE homework_id = new.homework_id AND problem_id = new.problem_id) w
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = w.user_id AND m.role = 'student'
  WHERE c.homework_id = new.homework_id
  ON CONFLICT DO UPDATE SET claim = NULL, is_by_rule = 1 WHERE claim IS NOT NULL OR is_by_rule = 0;
  INSERT INTO stale_marks (column_id, user_id, is_by_rule)
  SELECT t.id, m.user_id, 1 FROM homeworks h
  JOIN gradebook_columns t ON t.course_id = h.course_id AND t.kind = 'total'
  JOIN memberships m ON m.course_id = h.course_id AND m.role = 'student'
  WHERE h.id = new.homework_id
  ON CONFLICT DO UPDATE SET claim = NULL, is_by_rule = 1 WHERE claim IS NOT NULL OR is_by_rule = 0;
END;--> statement-breakpoint
CREATE TRIGGER `problems_shown` AFTER UPDATE OF `status`, `deleted_at` ON `problems` WHEN (old.status, old.deleted_at) IS NOT (new.status, new.deleted_at) BEGIN
  INSERT INTO stale_marks (column_id, user_id, is_by_rule)
  SELECT c.column_id, m.user_id, 1 FROM homework_problems p
  CROSS JOIN moved_columns c ON c.homework_id = p.homework_id
  CROSS JOIN (SELECT user_id FROM problem_results WHERE problem_id = new.id
    UNION SELECT s.user_id FROM homework_problems q JOIN staff_points s ON s.homework_id = q.homework_id AND s.problem_id = q.problem_id WHERE q.problem_id = new.id) w
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = w.user_id AND m.role = 'student'
  WHERE p.problem_id = new.id
  ON CONFLICT DO UPDATE SET claim = NULL, is_by_rule = 1 WHERE claim IS NOT NULL OR is_by_rule = 0;
  INSERT INTO stale_marks (column_id, user_id, is_by_rule)
  SELECT t.id, m.user_id, 1 FROM homeworks h
  JOIN gradebook_columns t ON t.course_id = h.course_id AND t.kind = 'total'
  JOIN memberships m ON m.course_id = h.course_id AND m.role = 'student'
  WHERE h.id IN (SELECT p.homework_id FROM homework_problems p WHERE p.problem_id = new.id)
  ON CONFLICT DO UPDATE SET claim = NULL, is_by_rule = 1 WHERE claim IS NOT NULL OR is_by_rule = 0;
END;--> statement-breakpoint
CREATE TRIGGER `courses_counts` AFTER UPDATE OF `counts` ON `courses` WHEN old.counts <> new.counts BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT g.id, m.user_id FROM gradebook_columns g
  JOIN memberships m ON m.course_id = g.course_id AND m.role = 'student'
  WHERE g.course_id = new.id AND g.kind = 'homework' AND EXISTS (SELECT 1 FROM homework_problems p JOIN problem_results r ON r.problem_id = p.problem_id AND r.user_id = m.user_id WHERE p.homework_id = g.homework_id)
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `late_day_budgets_changed` AFTER UPDATE ON `late_day_budgets` WHEN (old.size, old.most_each, old.spending, old.moves_closing) IS NOT (new.size, new.most_each, new.spending, new.moves_closing) BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT g.id, m.user_id FROM homeworks h
  JOIN gradebook_columns g ON g.homework_id = h.id
  JOIN memberships m ON m.course_id = g.course_id AND m.role = 'student'
  WHERE h.budget_id = new.id AND EXISTS (SELECT 1 FROM homework_problems p JOIN problem_results r ON r.problem_id = p.problem_id AND r.user_id = m.user_id WHERE p.homework_id = h.id)
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `homework_overrides_inserted` AFTER INSERT ON `homework_overrides` BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM moved_columns c
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = new.user_id AND m.role = 'student'
  WHERE c.homework_id = new.homework_id AND new.user_id IS NOT NULL
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM moved_columns c
  JOIN memberships m ON m.course_id = c.course_id AND m.role = 'student'
  WHERE c.homework_id = new.homework_id AND new.user_id IS NULL AND (new.label_id IS NULL OR EXISTS (SELECT 1 FROM member_labels l WHERE l.label_id = new.label_id AND l.user_id = m.user_id))
    AND (new.excused IS NOT NULL OR EXISTS (SELECT 1 FROM homework_problems p JOIN problem_results r ON r.problem_id = p.problem_id AND r.user_id = m.user_id WHERE p.homework_id = new.homework_id))
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `homework_overrides_changed` AFTER UPDATE ON `homework_overrides` BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM moved_columns c
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = new.user_id AND m.role = 'student'
  WHERE c.homework_id = new.homework_id AND new.user_id IS NOT NULL
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM moved_columns c
  JOIN memberships m ON m.course_id = c.course_id AND m.role = 'student'
  WHERE c.homework_id = new.homework_id AND new.user_id IS NULL AND (new.label_id IS NULL OR EXISTS (SELECT 1 FROM member_labels l WHERE l.label_id = new.label_id AND l.user_id = m.user_id))
    AND (old.excused IS NOT NULL OR new.excused IS NOT NULL OR EXISTS (SELECT 1 FROM homework_problems p JOIN problem_results r ON r.problem_id = p.problem_id AND r.user_id = m.user_id WHERE p.homework_id = new.homework_id))
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `homework_overrides_deleted` AFTER DELETE ON `homework_overrides` BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM moved_columns c
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = old.user_id AND m.role = 'student'
  WHERE c.homework_id = old.homework_id AND old.user_id IS NOT NULL
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM moved_columns c
  JOIN memberships m ON m.course_id = c.course_id AND m.role = 'student'
  WHERE c.homework_id = old.homework_id AND old.user_id IS NULL AND (old.label_id IS NULL OR EXISTS (SELECT 1 FROM member_labels l WHERE l.label_id = old.label_id AND l.user_id = m.user_id))
    AND (old.excused IS NOT NULL OR EXISTS (SELECT 1 FROM homework_problems p JOIN problem_results r ON r.problem_id = p.problem_id AND r.user_id = m.user_id WHERE p.homework_id = old.homework_id))
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `asked_late_days_inserted` AFTER INSERT ON `asked_late_days` BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM moved_columns c
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = new.user_id AND m.role = 'student'
  WHERE c.homework_id = new.homework_id
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `asked_late_days_changed` AFTER UPDATE ON `asked_late_days` BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM moved_columns c
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = new.user_id AND m.role = 'student'
  WHERE c.homework_id = new.homework_id
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `asked_late_days_deleted` AFTER DELETE ON `asked_late_days` BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM moved_columns c
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = old.user_id AND m.role = 'student'
  WHERE c.homework_id = old.homework_id
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `kept_marks_inserted` AFTER INSERT ON `kept_marks` BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM moved_columns c
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = new.user_id AND m.role = 'student'
  WHERE c.homework_id = new.homework_id
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `kept_marks_changed` AFTER UPDATE ON `kept_marks` BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM moved_columns c
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = new.user_id AND m.role = 'student'
  WHERE c.homework_id = new.homework_id
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `kept_marks_deleted` AFTER DELETE ON `kept_marks` BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM moved_columns c
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = old.user_id AND m.role = 'student'
  WHERE c.homework_id = old.homework_id
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `staff_points_inserted` AFTER INSERT ON `staff_points` BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM moved_columns c
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = new.user_id AND m.role = 'student'
  WHERE c.homework_id = new.homework_id
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `staff_points_changed` AFTER UPDATE ON `staff_points` BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM moved_columns c
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = new.user_id AND m.role = 'student'
  WHERE c.homework_id = new.homework_id
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `staff_points_deleted` AFTER DELETE ON `staff_points` BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM moved_columns c
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = old.user_id AND m.role = 'student'
  WHERE c.homework_id = old.homework_id
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `member_labels_given` AFTER INSERT ON `member_labels` BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM homework_overrides o
  CROSS JOIN moved_columns c ON c.homework_id = o.homework_id
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = new.user_id AND m.role = 'student'
  WHERE o.label_id = new.label_id
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `member_labels_taken` AFTER DELETE ON `member_labels` BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT c.column_id, m.user_id FROM homework_overrides o
  CROSS JOIN moved_columns c ON c.homework_id = o.homework_id
  JOIN memberships m ON m.course_id = c.course_id AND m.user_id = old.user_id AND m.role = 'student'
  WHERE o.label_id = old.label_id
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `memberships_inserted` AFTER INSERT ON `memberships` BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT g.id, new.user_id FROM gradebook_columns g WHERE g.course_id = new.course_id AND new.role = 'student' AND (g.kind = 'total'
    OR EXISTS (SELECT 1 FROM homework_problems p JOIN problem_results r ON r.problem_id = p.problem_id AND r.user_id = new.user_id WHERE p.homework_id = g.homework_id)
    OR EXISTS (SELECT 1 FROM homework_overrides o WHERE o.homework_id = g.homework_id AND o.user_id IS NULL AND o.excused = 1)
    OR EXISTS (SELECT 1 FROM homework_overrides o WHERE o.homework_id = g.homework_id AND o.user_id = new.user_id AND o.excused = 1)
    OR EXISTS (SELECT 1 FROM staff_points s WHERE s.homework_id = g.homework_id AND s.user_id = new.user_id)
    OR EXISTS (SELECT 1 FROM mark_settings s WHERE s.column_id = g.id AND s.user_id = new.user_id))
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `memberships_changed` AFTER UPDATE OF `role` ON `memberships` WHEN old.role <> new.role BEGIN
  DELETE FROM marks WHERE user_id = old.user_id AND column_id IN (SELECT id FROM gradebook_columns WHERE course_id = old.course_id);
  DELETE FROM stale_marks WHERE user_id = old.user_id AND column_id IN (SELECT id FROM gradebook_columns WHERE course_id = old.course_id);
  INSERT INTO stale_marks (column_id, user_id)
  SELECT g.id, new.user_id FROM gradebook_columns g WHERE g.course_id = new.course_id AND new.role = 'student' AND (g.kind = 'total'
    OR EXISTS (SELECT 1 FROM homework_problems p JOIN problem_results r ON r.problem_id = p.problem_id AND r.user_id = new.user_id WHERE p.homework_id = g.homework_id)
    OR EXISTS (SELECT 1 FROM homework_overrides o WHERE o.homework_id = g.homework_id AND o.user_id IS NULL AND o.excused = 1)
    OR EXISTS (SELECT 1 FROM homework_overrides o WHERE o.homework_id = g.homework_id AND o.user_id = new.user_id AND o.excused = 1)
    OR EXISTS (SELECT 1 FROM staff_points s WHERE s.homework_id = g.homework_id AND s.user_id = new.user_id)
    OR EXISTS (SELECT 1 FROM mark_settings s WHERE s.column_id = g.id AND s.user_id = new.user_id))
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `memberships_deleted` AFTER DELETE ON `memberships` BEGIN
  DELETE FROM marks WHERE user_id = old.user_id AND column_id IN (SELECT id FROM gradebook_columns WHERE course_id = old.course_id);
  DELETE FROM stale_marks WHERE user_id = old.user_id AND column_id IN (SELECT id FROM gradebook_columns WHERE course_id = old.course_id);
END;--> statement-breakpoint
CREATE TRIGGER `mark_settings_inserted` AFTER INSERT ON `mark_settings` BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT g.id, m.user_id FROM gradebook_columns g
  JOIN memberships m ON m.course_id = g.course_id AND m.user_id = new.user_id AND m.role = 'student'
  WHERE g.id = new.column_id
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `gradebook_groups_inserted` AFTER INSERT ON `gradebook_groups` BEGIN
  INSERT INTO stale_marks (column_id, user_id, is_by_rule)
  SELECT g.id, m.user_id, 1 FROM gradebook_columns g
  JOIN memberships m ON m.course_id = g.course_id AND m.role = 'student'
  WHERE g.course_id = new.course_id AND g.kind = 'total'
  ON CONFLICT DO UPDATE SET claim = NULL, is_by_rule = 1 WHERE claim IS NOT NULL OR is_by_rule = 0;
END;--> statement-breakpoint
CREATE TRIGGER `gradebook_groups_changed` AFTER UPDATE ON `gradebook_groups` WHEN (old.position, old.weight, old.drop_lowest, old.cap_percent, old.is_extra) IS NOT (new.position, new.weight, new.drop_lowest, new.cap_percent, new.is_extra) BEGIN
  INSERT INTO stale_marks (column_id, user_id, is_by_rule)
  SELECT g.id, m.user_id, 1 FROM gradebook_columns g
  JOIN memberships m ON m.course_id = g.course_id AND m.role = 'student'
  WHERE g.course_id = new.course_id AND g.kind = 'total'
  ON CONFLICT DO UPDATE SET claim = NULL, is_by_rule = 1 WHERE claim IS NOT NULL OR is_by_rule = 0;
END;--> statement-breakpoint
CREATE TRIGGER `gradebook_groups_deleted` AFTER DELETE ON `gradebook_groups` BEGIN
  INSERT INTO stale_marks (column_id, user_id, is_by_rule)
  SELECT g.id, m.user_id, 1 FROM gradebook_columns g
  JOIN memberships m ON m.course_id = g.course_id AND m.role = 'student'
  WHERE g.course_id = old.course_id AND g.kind = 'total'
  ON CONFLICT DO UPDATE SET claim = NULL, is_by_rule = 1 WHERE claim IS NOT NULL OR is_by_rule = 0;
END;--> statement-breakpoint
CREATE TRIGGER `gradebook_columns_inserted` AFTER INSERT ON `gradebook_columns` WHEN new.kind <> 'total' BEGIN
  INSERT INTO stale_marks (column_id, user_id, is_by_rule)
  SELECT g.id, m.user_id, 1 FROM gradebook_columns g
  JOIN memberships m ON m.course_id = g.course_id AND m.role = 'student'
  WHERE g.course_id = new.course_id AND g.kind = 'total'
  ON CONFLICT DO UPDATE SET claim = NULL, is_by_rule = 1 WHERE claim IS NOT NULL OR is_by_rule = 0;
END;--> statement-breakpoint
CREATE TRIGGER `gradebook_columns_changed` AFTER UPDATE OF `max`, `group_id`, `weight`, `is_extra`, `decimals`, `position` ON `gradebook_columns` WHEN (old.max, old.group_id, old.weight, old.is_extra, old.decimals, old.position) IS NOT (new.max, new.group_id, new.weight, new.is_extra, new.decimals, new.position) BEGIN
  INSERT INTO stale_marks (column_id, user_id, is_by_rule)
  SELECT g.id, m.user_id, 1 FROM gradebook_columns g
  JOIN memberships m ON m.course_id = g.course_id AND m.role = 'student'
  WHERE g.course_id = new.course_id AND g.kind = 'total'
  ON CONFLICT DO UPDATE SET claim = NULL, is_by_rule = 1 WHERE claim IS NOT NULL OR is_by_rule = 0;
END;--> statement-breakpoint
CREATE TRIGGER `gradebook_columns_deleted` AFTER DELETE ON `gradebook_columns` BEGIN
  INSERT INTO stale_marks (column_id, user_id, is_by_rule)
  SELECT g.id, m.user_id, 1 FROM gradebook_columns g
  JOIN memberships m ON m.course_id = g.course_id AND m.role = 'student'
  WHERE g.course_id = old.course_id AND g.kind = 'total'
  ON CONFLICT DO UPDATE SET claim = NULL, is_by_rule = 1 WHERE claim IS NOT NULL OR is_by_rule = 0;
END;--> statement-breakpoint
CREATE TRIGGER `marks_inserted` AFTER INSERT ON `marks` BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT t.id, m.user_id FROM gradebook_columns g
  JOIN gradebook_columns t ON t.course_id = g.course_id AND t.kind = 'total'
  JOIN memberships m ON m.course_id = g.course_id AND m.user_id = new.user_id AND m.role = 'student'
  WHERE g.id = new.column_id AND g.kind <> 'total'
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `marks_changed` AFTER UPDATE OF `hundredths`, `is_excused` ON `marks` WHEN (old.hundredths, old.is_excused) IS NOT (new.hundredths, new.is_excused) BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT t.id, m.user_id FROM gradebook_columns g
  JOIN gradebook_columns t ON t.course_id = g.course_id AND t.kind = 'total'
  JOIN memberships m ON m.course_id = g.course_id AND m.user_id = new.user_id AND m.role = 'student'
  WHERE g.id = new.column_id AND g.kind <> 'total'
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `marks_deleted` AFTER DELETE ON `marks` BEGIN
  INSERT INTO stale_marks (column_id, user_id)
  SELECT t.id, m.user_id FROM gradebook_columns g
  JOIN gradebook_columns t ON t.course_id = g.course_id AND t.kind = 'total'
  JOIN memberships m ON m.course_id = g.course_id AND m.user_id = old.user_id AND m.role = 'student'
  WHERE g.id = old.column_id AND g.kind <> 'total'
  ON CONFLICT DO UPDATE SET claim = NULL WHERE claim IS NOT NULL;
END;--> statement-breakpoint
INSERT INTO gradebook_columns (course_id, kind, shown) SELECT id, 'total', 'no' FROM courses;--> statement-breakpoint
INSERT INTO gradebook_columns (course_id, kind, homework_id, shown) SELECT course_id, 'homework', id, 'yes' FROM homeworks ORDER BY id;--> statement-breakpoint
INSERT INTO stale_marks (column_id, user_id)
SELECT g.id, m.user_id FROM gradebook_columns g JOIN memberships m ON m.course_id = g.course_id WHERE m.role = 'student' AND (g.kind = 'total'
  OR EXISTS (SELECT 1 FROM homework_problems p JOIN problem_results r ON r.problem_id = p.problem_id AND r.user_id = m.user_id WHERE p.homework_id = g.homework_id)
  OR EXISTS (SELECT 1 FROM homework_overrides o WHERE o.homework_id = g.homework_id AND o.excused = 1)
  OR EXISTS (SELECT 1 FROM staff_points s WHERE s.homework_id = g.homework_id AND s.user_id = m.user_id));
