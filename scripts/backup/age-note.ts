/**
 * The statement that tells an installation when its last backup was made: a backup that is too old raises an alarm. For a restored
 * installation that is the backup from which it was restored.
 */
export function ageNote(madeAt: Date): string {
  return `insert into vitals (name, value) values ('backed_up_at', ${Math.floor(madeAt.getTime() / 1000)})
    on conflict (name) do update set value = excluded.value`
}
