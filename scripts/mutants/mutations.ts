/** Faults that somebody could make in SQL and in the sandbox helper, where no tool makes them. Each must fail a test (`npm run mutants`). */

export interface Mutation {
  /** The fault in words. */
  name: string
  file: string
  /** A text that occurs once in the file; `to` replaces it. */
  from: string
  to: string
  /** The file or folder whose tests must notice the fault. */
  tests: string
}

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'a problem of a future homework shows',
    file: 'worker/db/visibility.ts',
    from: "datesOfProblem('not-started', personId, now)",
    to: "datesOfProblem('not-started', personId, 4102444800)",
    tests: 'tests/worker/homeworks/homeworks.test.ts',
  },
  {
    name: 'more time for all shortens a week that a student has',
    file: 'migrations/0002_labels.sql',
    from: 'max(coalesce(p.due, (SELECT',
    to: 'coalesce(coalesce(p.due, (SELECT',
    tests: 'tests/worker/homeworks/dates-view.test.ts',
  },
  {
    name: 'of two labels the later opening counts',
    file: 'migrations/0002_labels.sql',
    from: '(SELECT min(l.opens)',
    to: '(SELECT max(l.opens)',
    tests: 'tests/worker/homeworks/dates-view.test.ts',
  },
  {
    name: 'the questions of a problem come with those of another course',
    file: 'worker/features/questions/queries.ts',
    from: ' and ${problems.courseId} = ${courseId})`',
    to: ')`',
    tests: 'tests/worker/questions/questions.test.ts',
  },
  {
    name: 'an edit of a stale version overwrites',
    file: 'worker/db/edits.ts',
    from: 'sql`${version} = ${basedOn}`',
    to: 'sql`${version} >= ${basedOn}`',
    tests: 'tests/worker/api/stale-edits.test.ts',
  },
  {
    name: 'idle sessions live on',
    file: 'worker/db/sessions.ts',
    from: 'iif(${sessions.shared}, ${shared.idle}, ${idle})',
    to: '${absolute}',
    tests: 'tests/worker/auth/auth.test.ts',
  },
  {
    name: 'a mailed link works twice',
    file: 'worker/db/account-links.ts',
    from: 'sql`exists (select 1 from ${accountLinks} where ${accountLinks.tokenHash} = ${tokenHash})`',
    to: 'sql`${tokenHash} is not null`',
    tests: 'tests/worker/auth/access.test.ts',
  },
  {
    name: 'the quota has no end',
    file: 'worker/features/submissions/create-queries.ts',
    from: '0) < ${target.quota}`',
    to: '0) < 999999`',
    tests: 'tests/worker/submissions/submissions.test.ts',
  },
  {
    name: 'two steps evade the quota',
    file: 'worker/features/submissions/create-queries.ts',
    from: '        quotaHasRoom(target, accepted),\n',
    to: '',
    tests: 'tests/worker/submissions/hand-in.test.ts',
  },
  {
    name: 'a leased job is leased to a second host',
    file: 'worker/features/judging/claim/best-job.ts',
    from: 'sql`${judgements.finishedAt} is null and ${judgements.leaseUntil} is null`',
    to: 'sql`${judgements.finishedAt} is null`',
    tests: 'tests/worker/judging/judging.test.ts',
  },
  {
    name: 'a bulk rejudge goes before live submissions',
    file: 'worker/features/judging/claim/best-job.ts',
    from: 'iif(${hasRoom}, ${live}, null),',
    to: '',
    tests: 'tests/worker/judging',
  },
  {
    name: 'a stale lease is good for a result',
    file: 'worker/features/judging/lease/lease-queries.ts',
    from: "if (row?.lease !== lease) return { lease: 'stale' }",
    to: "if (!row) return { lease: 'stale' }",
    tests: 'tests/worker/judging/judging.test.ts',
  },
  {
    name: 'the result of a bulk rejudge changes the submission before it is applied',
    file: 'worker/features/judging/result/result-queries.ts',
    from: '          eq(submissions.judgementId, judgements.id),\n        ),',
    to: '        ),',
    tests: 'tests/worker/judging/rejudges.test.ts',
  },
  {
    name: 'a condition that is null lets a change through',
    file: 'worker/db/demand.ts',
    from: '(${condition}) is not true',
    to: 'not (${condition})',
    tests: 'tests/worker/lib/demand.test.ts',
  },
  {
    name: 'a cancelled rejudge takes what is not applied for the verdict before',
    file: 'worker/features/judging/cancel-queries.ts',
    from: ' and e.rejudge_id is null',
    to: '',
    tests: 'tests/worker/judging/cancel-submission.test.ts',
  },
  {
    name: 'a host that is gone keeps a submission in its pack',
    file: 'worker/features/storage/unpack-queries.ts',
    from: "    runnerId: isThere(runners, 'runnerId'),\n",
    to: '',
    tests: 'tests/worker/storage/packs-many.test.ts',
  },
  {
    name: 'an output of one byte more than allowed passes',
    file: 'runner/sandbox/native/run.c',
    from: 'streams_output(&run->streams) > run->limits->output_bytes',
    to: 'streams_output(&run->streams) > run->limits->output_bytes + 1',
    tests: 'tests/runner/sandbox/endings.test.ts',
  },
  {
    name: 'a kill for memory is not told',
    file: 'runner/sandbox/native/run.c',
    from: 'else if (*oom_kills > 0 || ',
    to: 'else if (*oom_kills > 1000 || ',
    tests: 'tests/runner/sandbox/endings.test.ts',
  },
  {
    name: 'CPU time has no end before the wall limit',
    file: 'runner/sandbox/native/run.c',
    from: 'else if (*cpu_us > run->limits->cpu_us) run->fired',
    to: 'else if (*cpu_us > 9 * run->limits->cpu_us) run->fired',
    tests: 'tests/runner/sandbox/endings.test.ts',
  },
  {
    name: 'the program’s own file leaves its memory limit as it was',
    file: 'runner/sandbox/native/run.c',
    from: 'room_beside(run->limits->memory_bytes, run->box->readonly_bytes)',
    to: 'room_beside(run->limits->memory_bytes, 0 * run->box->readonly_bytes)',
    tests: 'tests/runner/sandbox/refusals.test.ts',
  },
  {
    name: 'a table costs nothing where a second header calls it writable',
    file: 'runner/sandbox/native/elf.c',
    from: 'segment.p_offset > seen ? segment.p_offset : seen',
    to: 'segment.p_offset + 0 * seen',
    tests: 'tests/runner/sandbox/elf.test.ts',
  },
  {
    name: 'the wall limit does not fire',
    file: 'runner/sandbox/native/wall.c',
    from: 'is_up(wall, wall_us)) return 1;',
    to: 'is_up(wall, wall_us / 99)) return 1;',
    tests: 'tests/runner/sandbox/endings.test.ts',
  },
  {
    name: 'a program makes namespaces by clone',
    file: 'runner/sandbox/native/seccomp.c',
    from: '      emit_refuse(BPF_JSET, DENIED_CLONES, 1);\n',
    to: '',
    tests: 'tests/runner/sandbox/refusals.test.ts',
  },
  {
    name: 'a program opens sockets',
    file: 'runner/sandbox/native/seccomp.c',
    from: '    SYS_socket, SYS_socketpair, SYS_bind,',
    to: '    SYS_bind,',
    tests: 'tests/runner/sandbox/refusals.test.ts',
  },
  {
    name: 'a program runs without a filter',
    file: 'runner/sandbox/native/payload.c',
    from: '  if (seccomp_install() < 0) stop(launch, "seccomp", errno);\n',
    to: '',
    tests: 'tests/runner/sandbox/refusals.test.ts',
  },
  {
    name: 'children outlive their program',
    file: 'runner/sandbox/native/init.c',
    from: 'if (life == NOBODY) return 0;',
    to: 'if (life != PROGRAM) return 0;',
    tests: 'tests/runner/sandbox/residue.test.ts',
  },
  {
    name: 'an artefact may be any file that a link names',
    file: 'runner/sandbox/native/work.c',
    from: '      .flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,\n      .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_BENEATH | RESOLVE_NO_XDEV,\n',
    to: '      .flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,\n',
    tests: 'tests/runner/sandbox/compile.test.ts',
  },
  {
    name: 'a run pays for the CPU time of those before',
    file: 'runner/sandbox/native/cgroup.c',
    from: '*us -= run->cpu_before_us;',
    to: '*us -= 0 * run->cpu_before_us;',
    tests: 'tests/runner/sandbox/endings.test.ts',
  },
]
