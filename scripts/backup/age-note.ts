/**
 * The statement that tells an installation when its last backup was made: a backup that is too old raises an alarm. The last backup of a
 * restored installation is the one that it came from.
 */
export function ageNote(madeAt: Date): string {
  return `insert into vitals (name, value) values ('backed_up_at', ${Math.floor(madeAt.getTime() / 1000)})
    on conflict (name) do update set value = excluded.value`
}
