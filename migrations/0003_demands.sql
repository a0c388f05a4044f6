CREATE VIEW `demands` AS SELECT '' AS `refusal`;--> statement-breakpoint
CREATE TRIGGER `demands_refuse` INSTEAD OF INSERT ON `demands` BEGIN
  SELECT raise(abort, new.refusal);
END;
