CREATE TABLE `account_links` (
	`user_id` integer NOT NULL,
	`purpose` text NOT NULL,
	`token_hash` text NOT NULL,
	`new_email` text,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `purpose`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `account_links_tokenHash_unique` ON `account_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `account_links_expiry` ON `account_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `alarms` (
	`state` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	`over_at` integer,
	`webhook_told` text,
	`mail_told` text,
	`tries` integer DEFAULT 0 NOT NULL,
	`next_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `announcements` (
	`id` text PRIMARY KEY NOT NULL,
	`course_id` integer NOT NULL,
	`title` text NOT NULL,
	`markdown` text NOT NULL,
	`pinned` integer NOT NULL,
	`creator_id` integer NOT NULL,
	`updater_id` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`creator_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`updater_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `announcements_list` ON `announcements` (`course_id`,`pinned`,`id`,`title`,`creator_id`,`updater_id`,`created_at`,`updated_at`,substr(markdown, 1, 500),length(markdown) > 500) WHERE deleted_at is null;--> statement-breakpoint
CREATE TABLE `api_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_tokens_tokenHash_unique` ON `api_tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `api_tokens_user` ON `api_tokens` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `audit_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`created_at` integer NOT NULL,
	`actor_id` integer,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`detail` text NOT NULL,
	`ip` text NOT NULL,
	FOREIGN KEY (`actor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `audit_entries_actor` ON `audit_entries` (`actor_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_action` ON `audit_entries` (`action`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_actor_action` ON `audit_entries` (`actor_id`,`action`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_addressed` ON `audit_entries` (`created_at`) WHERE ip <> '';--> statement-breakpoint
CREATE TABLE `copycat_reports` (
	`problem_id` integer PRIMARY KEY NOT NULL,
	`operation_id` text,
	`report` text,
	`common` text,
	`created_at` integer,
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`operation_id`) REFERENCES `operations`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `copycat_reports_job` ON `copycat_reports` (`operation_id`);--> statement-breakpoint
CREATE TABLE `courses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`teacher_id` integer,
	`time_zone` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	`purge_marked_at` integer,
	FOREIGN KEY (`teacher_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `courses_nameKey_unique` ON `courses` (`name_key`);--> statement-breakpoint
CREATE INDEX `courses_teacher` ON `courses` (`teacher_id`);--> statement-breakpoint
CREATE INDEX `courses_deleted` ON `courses` (`deleted_at`) WHERE deleted_at is not null;--> statement-breakpoint
CREATE TABLE `database_sizes` (
	`day` integer PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE `homework_problems` (
	`homework_id` text NOT NULL,
	`problem_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`homework_id`, `problem_id`),
	FOREIGN KEY (`homework_id`) REFERENCES `homeworks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `homework_problems_problem` ON `homework_problems` (`problem_id`);--> statement-breakpoint
CREATE TABLE `homeworks` (
	`id` text PRIMARY KEY NOT NULL,
	`course_id` integer NOT NULL,
	`name` text NOT NULL,
	`markdown` text NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`scoreboard_status` integer NOT NULL,
	`scoreboard_names` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `homeworks_name` ON `homeworks` (`course_id`,`name`);--> statement-breakpoint
CREATE INDEX `homeworks_course` ON `homeworks` (`course_id`,`start_at`);--> statement-breakpoint
CREATE TABLE `installation` (
	`id` integer PRIMARY KEY NOT NULL,
	`token` text,
	`state` text NOT NULL,
	`held` text,
	`confirmed_at` integer,
	CONSTRAINT "installation_one" CHECK("installation"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `judgements` (
	`id` text PRIMARY KEY NOT NULL,
	`submission_id` text,
	`rejudge_id` text,
	`course_id` integer DEFAULT 0 NOT NULL,
	`user_id` integer DEFAULT 0 NOT NULL,
	`state` text NOT NULL,
	`priority` integer NOT NULL,
	`rank` integer NOT NULL,
	`attempt` integer DEFAULT 0 NOT NULL,
	`lease` text,
	`lease_until` integer,
	`claimed_at` integer,
	`hold_until` integer,
	`plan` text,
	`runner_id` text,
	`queued_at` integer NOT NULL,
	`ticket_at` integer NOT NULL,
	`phase` text NOT NULL,
	`cases_done` integer DEFAULT 0 NOT NULL,
	`cases_total` integer NOT NULL,
	`finished_at` integer,
	`test_data_version` text,
	`status` integer DEFAULT -1 NOT NULL,
	`score` integer DEFAULT 0 NOT NULL,
	`run_time_ms` integer,
	`memory_kb` integer,
	`subtasks` text,
	`compile_message` text,
	`reason` text,
	`outputs_key` text,
	`outputs_pack_id` integer,
	`outputs_offset` integer,
	`outputs_bytes` integer,
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`runner_id`) REFERENCES `runners`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`test_data_version`) REFERENCES `test_data_versions`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `judgements_submission` ON `judgements` (`submission_id`,`id`);--> statement-breakpoint
CREATE INDEX `judgements_rejudge` ON `judgements` (`rejudge_id`,`finished_at`,`id`) WHERE rejudge_id is not null;--> statement-breakpoint
CREATE INDEX `judgements_open` ON `judgements` (`ticket_at`,`id`) WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX `judgements_ready` ON `judgements` (`priority`,`rank`,`id`) WHERE finished_at is null and lease_until is null;--> statement-breakpoint
CREATE INDEX `judgements_resting` ON `judgements` (`lease_until`) WHERE finished_at is null and lease_until is not null;--> statement-breakpoint
CREATE INDEX `judgements_runner` ON `judgements` (`runner_id`) WHERE finished_at is null and runner_id is not null;--> statement-breakpoint
CREATE INDEX `judgements_outputs_pack` ON `judgements` (`outputs_pack_id`) WHERE outputs_pack_id is not null;--> statement-breakpoint
CREATE INDEX `judgements_failed` ON `judgements` (`finished_at`) WHERE state = 'failed';--> statement-breakpoint
CREATE TABLE `logged_mails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `login_records` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer,
	`ip` text NOT NULL,
	`agent` text NOT NULL,
	`ok` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `login_records_user` ON `login_records` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `memberships` (
	`course_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`role` text NOT NULL,
	`joined_at` integer NOT NULL,
	PRIMARY KEY(`course_id`, `user_id`),
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `memberships_user` ON `memberships` (`user_id`,`course_id`);--> statement-breakpoint
CREATE TABLE `operations` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`total` integer NOT NULL,
	`owner_id` integer,
	`payload` text NOT NULL,
	`result` text,
	`error` text,
	`attempt` integer DEFAULT 0 NOT NULL,
	`lease` text,
	`lease_until` integer,
	`sent_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `operations_open` ON `operations` (`sent_at`) WHERE finished_at is null;--> statement-breakpoint
CREATE TABLE `orphans` (
	`key` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	`is_expected` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE `packs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`object_key` text NOT NULL,
	`course_id` integer NOT NULL,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `packs_object` ON `packs` (`object_key`);--> statement-breakpoint
CREATE INDEX `packs_course` ON `packs` (`course_id`);--> statement-breakpoint
CREATE TABLE `problem_files` (
	`problem_id` integer NOT NULL,
	`file_id` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`problem_id`, `file_id`),
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `problem_files_file` ON `problem_files` (`file_id`);--> statement-breakpoint
CREATE TABLE `problem_results` (
	`problem_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`tries` integer NOT NULL,
	`scored` integer NOT NULL,
	`score_sum` integer NOT NULL,
	`best_score` integer,
	`worst_score` integer,
	`status_counts` text NOT NULL,
	`fastest_id` text,
	`leanest_id` text,
	`quota_since` integer DEFAULT 0 NOT NULL,
	`quota_uses` integer DEFAULT 0 NOT NULL,
	`attempts` text DEFAULT '{}' NOT NULL,
	PRIMARY KEY(`problem_id`, `user_id`),
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `problems` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`course_id` integer NOT NULL,
	`name` text NOT NULL,
	`status` integer NOT NULL,
	`type` integer NOT NULL,
	`owner_id` integer NOT NULL,
	`tags` text NOT NULL,
	`quota` integer NOT NULL,
	`allowed_language` integer NOT NULL,
	`description` text NOT NULL,
	`compare` text NOT NULL,
	`test_data_version` text,
	`judging_changed_at_ms` integer,
	`rejudge_id` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `problems_course` ON `problems` (`course_id`,`id`);--> statement-breakpoint
CREATE TABLE `question_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`question_id` text NOT NULL,
	`author_id` integer NOT NULL,
	`markdown` text NOT NULL,
	`idempotency_key` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`question_id`) REFERENCES `questions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`author_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `question_messages_question` ON `question_messages` (`question_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `question_messages_author` ON `question_messages` (`author_id`,`idempotency_key`);--> statement-breakpoint
CREATE TABLE `questions` (
	`id` text PRIMARY KEY NOT NULL,
	`course_id` integer NOT NULL,
	`problem_id` integer NOT NULL,
	`submission_id` text,
	`line` integer,
	`student_id` integer NOT NULL,
	`state` text NOT NULL,
	`unread` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`student_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `questions_course` ON `questions` (`course_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `questions_problem` ON `questions` (`problem_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `questions_student` ON `questions` (`student_id`,`course_id`,`id`);--> statement-breakpoint
CREATE INDEX `questions_unread` ON `questions` (`student_id`,`course_id`) WHERE unread = 1;--> statement-breakpoint
CREATE INDEX `questions_submission` ON `questions` (`submission_id`,`problem_id`,`student_id`,`id`);--> statement-breakpoint
CREATE TABLE `rate_limits` (
	`key` text PRIMARY KEY NOT NULL,
	`full_at_ms` integer NOT NULL,
	`allowed` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `runners` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`state` text NOT NULL,
	`slots` integer NOT NULL,
	`free` integer NOT NULL,
	`load` real DEFAULT 0 NOT NULL,
	`job_seconds` real,
	`version` text NOT NULL,
	`host` text,
	`slot_limit` integer DEFAULT 64 NOT NULL,
	`refused_results` integer DEFAULT 0 NOT NULL,
	`last_refusal` text,
	`verdict_counts` text DEFAULT '[0,0,0,0,0,0,0,0]' NOT NULL,
	`busy_seconds` integer DEFAULT 0 NOT NULL,
	`self_registered` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`heartbeat_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `runners_tokenHash_unique` ON `runners` (`token_hash`);--> statement-breakpoint
CREATE INDEX `runners_heartbeat` ON `runners` (`heartbeat_at`);--> statement-breakpoint
CREATE TABLE `sample_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`problem_id` integer NOT NULL,
	`language_type` integer NOT NULL,
	`sample_count` integer NOT NULL,
	`code` blob,
	`inputs` text,
	`result` text,
	FOREIGN KEY (`id`) REFERENCES `judgements`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sample_runs_userId_unique` ON `sample_runs` (`user_id`);--> statement-breakpoint
CREATE TABLE `saved_replies` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`replies` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`confirmed_at` integer,
	`ip` text NOT NULL,
	`agent` text NOT NULL,
	`shared` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_created` ON `sessions` (`created_at`);--> statement-breakpoint
CREATE TABLE `submission_sources` (
	`submission_id` text PRIMARY KEY NOT NULL,
	`code` blob NOT NULL,
	FOREIGN KEY (`submission_id`) REFERENCES `submissions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `submissions` (
	`id` text PRIMARY KEY NOT NULL,
	`problem_id` integer NOT NULL,
	`course_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`language_type` integer NOT NULL,
	`status` integer NOT NULL,
	`score` integer DEFAULT 0 NOT NULL,
	`run_time_ms` integer,
	`memory_kb` integer,
	`judgement_id` text,
	`quota_used` integer NOT NULL,
	`ip` text NOT NULL,
	`created_at` integer NOT NULL,
	`accepted_at` integer,
	`idempotency_key` text,
	`ordinal` integer,
	`pack_id` integer,
	`pack_offset` integer,
	`pack_bytes` integer,
	`source_bytes` integer,
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "submissions_status" CHECK(status between -2 and 7)
);
--> statement-breakpoint
CREATE INDEX `submissions_judged` ON `submissions` (`problem_id`,`judgement_id`);--> statement-breakpoint
CREATE INDEX `submissions_user` ON `submissions` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `submissions_user_problem` ON `submissions` (`user_id`,`problem_id`,`id`);--> statement-breakpoint
CREATE INDEX `submissions_by_course` ON `submissions` (`course_id`,`language_type`,`id`);--> statement-breakpoint
CREATE INDEX `submissions_by_course_status` ON `submissions` (`course_id`,`status`,`language_type`,`id`) WHERE status >= 0;--> statement-breakpoint
CREATE INDEX `submissions_by_problem` ON `submissions` (`problem_id`,`language_type`,`id`);--> statement-breakpoint
CREATE INDEX `submissions_by_problem_status` ON `submissions` (`problem_id`,`status`,`language_type`,`id`) WHERE status >= 0;--> statement-breakpoint
CREATE INDEX `submissions_score` ON `submissions` (`user_id`,`problem_id`,`score`) WHERE status >= 0 and status <> 6;--> statement-breakpoint
CREATE INDEX `submissions_fastest` ON `submissions` (`user_id`,`problem_id`,`run_time_ms`,`id`) WHERE status = 0 and run_time_ms is not null;--> statement-breakpoint
CREATE INDEX `submissions_leanest` ON `submissions` (`user_id`,`problem_id`,`memory_kb`,`id`) WHERE status = 0 and memory_kb is not null;--> statement-breakpoint
CREATE INDEX `submissions_pending` ON `submissions` (`id`) WHERE status = -1;--> statement-breakpoint
CREATE INDEX `submissions_claimed` ON `submissions` (`id`) WHERE status = -2;--> statement-breakpoint
CREATE UNIQUE INDEX `submissions_idempotency` ON `submissions` (`user_id`,`idempotency_key`) WHERE idempotency_key is not null;--> statement-breakpoint
CREATE TABLE `subtasks` (
	`problem_id` integer NOT NULL,
	`position` integer NOT NULL,
	`case_count` integer NOT NULL,
	`task_score` integer NOT NULL,
	`is_sample` integer DEFAULT false NOT NULL,
	`becomes_sample` integer DEFAULT false NOT NULL,
	`memory_limit_kb` integer NOT NULL,
	`time_limit_ms` integer NOT NULL,
	`output_limit_kb` integer NOT NULL,
	PRIMARY KEY(`problem_id`, `position`),
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `sweep_positions` (
	`prefix` text PRIMARY KEY NOT NULL,
	`after` text NOT NULL,
	`rest_until` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `test_data_uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`problem_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`object_key` text NOT NULL,
	`r2_upload_id` text NOT NULL,
	`length_bytes` integer NOT NULL,
	`part_bytes` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `test_data_uploads_created` ON `test_data_uploads` (`created_at`);--> statement-breakpoint
CREATE TABLE `test_data_versions` (
	`id` text PRIMARY KEY NOT NULL,
	`problem_id` integer NOT NULL,
	`object_key` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`sha256` text,
	`case_counts` text NOT NULL,
	`uploader_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`problem_id`) REFERENCES `problems`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`uploader_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `test_data_versions_problem` ON `test_data_versions` (`problem_id`,`id`);--> statement-breakpoint
CREATE INDEX `test_data_versions_object` ON `test_data_versions` (`object_key`);--> statement-breakpoint
CREATE INDEX `test_data_versions_unhashed` ON `test_data_versions` (`id`) WHERE sha256 is null;--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`username` text NOT NULL,
	`username_key` text NOT NULL,
	`email` text NOT NULL,
	`email_confirmed_at` integer,
	`made_in_course_id` integer,
	`displayed_name` text NOT NULL,
	`bio` text DEFAULT '' NOT NULL,
	`role` integer NOT NULL,
	`password_hash` text,
	`active` integer NOT NULL,
	`disabled_at` integer,
	`link_due_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`made_in_course_id`) REFERENCES `courses`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_usernameKey_unique` ON `users` (`username_key`);--> statement-breakpoint
CREATE INDEX `users_link_due` ON `users` (`link_due_at`) WHERE link_due_at is not null and password_hash is null and disabled_at is null;--> statement-breakpoint
CREATE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_confirmed_email` ON `users` (`email`) WHERE email_confirmed_at is not null;--> statement-breakpoint
CREATE INDEX `users_made_in` ON `users` (`made_in_course_id`) WHERE made_in_course_id is not null;--> statement-breakpoint
CREATE INDEX `users_role` ON `users` (`role`,`username_key`);--> statement-breakpoint
CREATE TABLE `vitals` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);--> statement-breakpoint
INSERT INTO `courses` (`name`, `name_key`, `time_zone`, `created_at`) VALUES ('Public', 'public', 'UTC', 0);--> statement-breakpoint
CREATE TRIGGER `audit_entries_kept` BEFORE DELETE ON `audit_entries` BEGIN
  SELECT raise(abort, 'audit entries are only ever added');
END;--> statement-breakpoint
CREATE TRIGGER `audit_entries_unchanged` BEFORE UPDATE ON `audit_entries`
WHEN new.id IS NOT old.id OR new.created_at IS NOT old.created_at OR new.action IS NOT old.action
  OR (new.actor_id IS NOT old.actor_id AND new.actor_id IS NOT NULL)
  OR (new.subject IS NOT old.subject AND new.subject <> '')
  OR (new.detail IS NOT old.detail AND new.detail <> '{}')
  OR (new.ip IS NOT old.ip AND new.ip <> '')
BEGIN
  SELECT raise(abort, 'audit entries are only ever added: who and from where may be erased');
END;--> statement-breakpoint
CREATE VIEW `demands` AS SELECT '' AS `refusal`;--> statement-breakpoint
CREATE TRIGGER `demands_refuse` INSTEAD OF INSERT ON `demands` BEGIN
  SELECT raise(abort, new.refusal);
END;
