ALTER TABLE `problem_results` ADD `history` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
UPDATE `problem_results` SET `history` = (
  SELECT json_group_array(json_array(s.id, s.accepted_at, s.status, s.score))
  FROM (
    SELECT id, accepted_at, status, score FROM `submissions`
    WHERE user_id = problem_results.user_id AND problem_id = problem_results.problem_id AND status <> -2
    ORDER BY id DESC LIMIT 5000
  ) s
);
