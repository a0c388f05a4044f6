/**
 * Every number of the product, with its name and unit, and the reason where it does not explain itself.
 * There are no limits elsewhere.
 */

/** Lengths of text fields in UTF-16 code units, as the browser's `maxlength` counts. */
export const TEXT_LIMITS = {
  username: 16,
  displayedName: 32,
  bio: 256,
  email: 128,
  passwordMin: 8,
  passwordMax: 128,
  courseName: 64,
  announcementTitle: 64,
  announcementMarkdown: 100_000,
  /**
   * The part of an announcement in lists, in characters (code points). An index in `schema.ts` repeats the
   * number.
   */
  announcementExcerpt: 500,
  homeworkName: 64,
  homeworkMarkdown: 10_000,
  problemName: 64,
  tag: 16,
  /** One statement part (description, input, output or hint). */
  statementPart: 50_000,
  /** One sample input or output. */
  sample: 16_384,
  /** The name of a file of a statement. */
  fileName: 100,
  search: 64,
  /** One message of a question. */
  questionMarkdown: 4_000,
  /** The part of its first message in lists, in characters (code points). */
  questionExcerpt: 200,
  savedReply: 1_000,
} as const

/** Items per request, unless the comment says otherwise. */
export const COUNT_LIMITS = {
  tags: 16,
  samples: 20,
  subtasks: 100,
  casesPerSubtask: 100,
  homeworkProblems: 100,
  /** Faults that one refusal names. The rest of a list is not checked. */
  fieldErrors: 20,
  /** New passwords that one batch sign-up request hashes, at 0.2 s each. More become an operation. */
  batchSignupPasswords: 50,
  /** New passwords hashed in one step of that operation. */
  batchSignupChunk: 10,
  batchSignupRows: 5_000,
  /** Rows checked without a rest. */
  batchSignupJudged: 5,
  /** Cells of the CSV: five for each row that count, and as many again for other columns of a spreadsheet. */
  batchSignupCells: 100_000,
  /** Accounts that a search for people looks through in one call: those one knows, or for admins all. */
  searchedAccounts: 20_000,
  /** People that a search for new members suggests. */
  suggestedPeople: 10,
  listItems: 200,
  listItemsDefault: 50,
  /** Rows that a page by `offset` may skip: they are read all the same. The cursor goes further. */
  listOffset: 1_000,
  /**
   * Submissions that a page of a list of one person, of pending ones or of all courses looks through. The next page looks through
   * those before.
   */
  filteredSubmissions: 5_000,
  membersPerRequest: 2_000,
  /** Accounts named in one recovery mail, when several claim an address that nobody has confirmed. */
  claimsPerMail: 10,
  /** Announcements of one course. */
  announcements: 200,
  /**
   * Messages of the student, and as many of staff, in all questions about one submission, or of one person
   * about one problem.
   */
  questionMessages: 100,
  /** Questions that a badge counts: beyond it, it says "99+". */
  waitingQuestions: 100,
  /** Saved replies of one person. */
  savedReplies: 30,
} as const

/** How long a deleted course can be restored and keeps its name. Seconds. */
export const COURSE_RESTORE_SECONDS = 30 * 86_400

/** When the sweeper purges a deleted course: a day later, so that no restore is cut short. Seconds. */
export const COURSE_PURGE_SECONDS = COURSE_RESTORE_SECONDS + 86_400

/** Source code of one submission, in bytes. */
export const SOURCE_LIMIT_BYTES = 64 * 1024

/** A zip with one source file, in bytes: the file even when stored unpacked, and 16 KiB for records and comment. */
export const SOURCE_ZIP_LIMIT_BYTES = SOURCE_LIMIT_BYTES + 16 * 1024

/** Sizes of bodies, and the depth of their JSON. The table of calls says which call takes more than others. */
export const BODY_LIMITS = {
  /** From callers without an account: names, addresses, passwords, tokens of mailed links. */
  guestBytes: 4 * 1024,
  /** Any other JSON. */
  formBytes: 256 * 1024,
  /** An announcement. JSON may write a character with six bytes. */
  announcementBytes: 768 * 1024,
  /** A submission. JSON may write each of its 64 KiB with six bytes. */
  submissionBytes: 512 * 1024,
  /** A sample run: the code and the inputs. JSON may write a character with six bytes. */
  runBytes: 2 * 1024 ** 2,
  /** A problem with every text at its longest, or a whole school as CSV. */
  longFormBytes: 4 * 1024 ** 2,
  /** A runner's result: the kept outputs in base64, and room for the rest. */
  resultBytes: 16 * 1024 ** 2,
  /** Room for the form around its file. */
  formAroundFileBytes: 64 * 1024,
  /** A larger one, or one of unknown length, is the only such of its caller: it takes memory that all callers share. */
  largeBytes: 1024 ** 2,
  /** A body comes in pieces of `pieceBytes`, or of the `pieces`th part of it, each within so many ms. So none takes longer than five minutes. */
  pieceBytes: 16 * 1024,
  pieces: 32,
  pieceMs: 10_000,
  /** Nesting of lists and objects; honest bodies have at most five levels. */
  jsonDepth: 16,
} as const

/** Test data. Sizes in bytes. */
export const TEST_DATA_LIMITS = {
  zipBytes: 1024 ** 3,
  /** A zip sent in one multipart/form-data request. */
  singleRequestBytes: 16 * 1024 ** 2,
  partBytesDefault: 8 * 1024 ** 2,
  partBytesMin: 5 * 1024 ** 2,
  partBytesMax: 64 * 1024 ** 2,
  /** Entries: 100 subtasks of 100 cases with an input and an output each. */
  entries: 20_000,
  /** Bytes of central directory that a runner reads. */
  centralDirectoryBytes: 4 * 1024 ** 2,
  /** Bytes at the end of a zip in which its directory is looked for. A longer comment is refused. */
  zipEndBytes: 16 * 1024,
  /** Bytes of directory per entry, on average: header, name, extra fields. */
  directoryBytesPerEntry: 128,
  /** One file, and all files, after inflating. */
  entryBytes: 256 * 1024 ** 2,
  inflatedBytes: 4 * 1024 ** 3,
  /** Stored test data that can be taken back into text fields, after inflating. */
  typedBytes: 1024 ** 2,
  /** Inflated size ÷ packed size of one entry; deflate cannot exceed 1032. */
  ratio: 1032,
} as const

/** Files of one problem's statement. `totalBytes`: all of them. */
export const PROBLEM_FILES = {
  perProblem: 40,
  imageBytes: 4 * 1024 ** 2,
  pdfBytes: 16 * 1024 ** 2,
  totalBytes: 64 * 1024 ** 2,
} as const

/** Bounds of a subtask's limits. Time in ms, memory and output in KB (1024 bytes). */
export const SUBTASK_LIMITS = {
  timeMs: { min: 1, max: 60_000, default: 1_000 },
  memoryKb: { min: 1_024, max: 4 * 1024 * 1024, default: 256 * 1024 },
  outputKb: { min: 1, max: 1024 * 1024, default: 65_536 },
  score: { min: 0, max: 100 },
} as const

/** The sum of the scores of a problem's subtasks. */
export const TOTAL_SCORE = 100

/** The quota that means "as often as you like". */
export const QUOTA_UNLIMITED = -1

/** The largest daily quota. */
export const QUOTA_MAX = 10_000

/**
 * Submissions of one person to one problem. `kept`: how many are part of their summary, which is written as
 * a whole. `read`: homeworks and scoreboards of people who have made more look at the newest of their time,
 * more than anybody makes by hand.
 */
export const ATTEMPTS = { kept: 50, read: 1_000 } as const

/** Rows that a scoreboard reads at once, each of a person and a problem: 2.6 MB where all have `ATTEMPTS.kept` attempts. */
export const BOARD_ROWS = 1_000

/**
 * Sessions end after `idle` without a call and after `absolute` at the latest, those on a shared computer sooner. A typed
 * password allows for `confirmed` what needs a fresh one. Seconds.
 */
export const SESSION_SECONDS = {
  idle: 7 * 86_400,
  absolute: 30 * 86_400,
  shared: { idle: 2 * 3_600, absolute: 12 * 3_600 },
  confirmed: 600,
} as const

/**
 * Failed or unfinished attempts to sign in: `burst` at once, then one per interval. A success gives its
 * token back. An exam of 300 sits behind one address, and each may mistype once. `Site`: an IPv4 address, or
 * an IPv6 /48, the most that one customer holds. `Name`: a username or an e-mail address, whoever has it or nobody.
 */
export const LOGIN_LIMITS = {
  perNameAndSite: { burst: 10, intervalMs: 60_000 },
  /** From everywhere but known browsers: more than one site can use up. */
  perName: { burst: 20, intervalMs: 60_000 },
  /** From one known browser, whatever others do. */
  perDevice: { burst: 10, intervalMs: 60_000 },
  /** From one IPv4 address or one IPv6 /64, on all accounts. */
  perAddress: { burst: 400, intervalMs: 1_500 },
  /** From one /48, e.g. a campus. */
  perSite: { burst: 1_600, intervalMs: 375 },
} as const

/** How long an account knows a browser that signed in, in seconds, and how many accounts one browser is known to. */
export const KNOWN_DEVICE = { seconds: 365 * 86_400, accounts: 5 } as const

/**
 * Hashing a password takes 0.2 s of the isolate's only thread, so callers take turns. A hash has pieces, and
 * after each the thread is free for other calls for as long as the piece held it. A browser or site has at most
 * `waiting` in the queue. A refused one is told when to come again: the first after `fullMs`, when a full queue is not
 * yet empty, each other one a turn later, but none after more than `longestMs`. A turn counts by `newestShare` in the mean
 * of all. Callers ask every `pollMs`; one silent for `silentMs` has no place until it asks again, and one silent for `lostMs` is
 * forgotten. After a wrong password its browser or site rests for `vainRestMs`, so that guesses use a fifth of the thread.
 */
export const HASHING = {
  vainRestMs: 500,
  pollMs: 10,
  silentMs: 250,
  lostMs: 1_000,
  waiting: 64,
  /** Hashed in one request to try whether the plan's CPU time suffices: far more than the smallest plan gives. */
  trial: 3,
  fullMs: 10_000,
  longestMs: 30_000,
  newestShare: 0.2,
} as const

/**
 * Writing calls of one person together, signing in included: `burst` at once, then one per interval. What a student hands in
 * counts against `SUBMIT_LIMITS` instead, but for the second of two steps. Staff (admins, teachers, teaching
 * assistants) send problems by script and test data in parts: 1,200 parts of 8 MiB are 9 GiB at once, four
 * a second are 32 MiB/s for ever.
 */
export const WRITE_LIMITS = {
  perStudent: { burst: 120, intervalMs: 1_000 },
  perStaff: { burst: 1_200, intervalMs: 250 },
} as const

/**
 * Calls of one session or token that are looked up, writing calls of one person, calls of one judge host: `perCaller` are at work at
 * once, `waiting` more wait, and others are to come again after `fullMs`. Reads that look through much have a line of their own:
 * `readsPerPerson` at once. Each that waits looks again after `pollMs` for every such group before it, and after `longestPollMs` at
 * most. One that has not looked for `silentMs` more, or is at work for more than `workMs` and none of its body comes, no longer
 * counts: its caller may have hung up.
 */
export const CONCURRENCY = {
  perCaller: 4,
  readsPerPerson: 2,
  waiting: 256,
  fullMs: 1_000,
  pollMs: 10,
  longestPollMs: 100,
  silentMs: 250,
  workMs: 5_000,
} as const

/**
 * Source code that a student may hand in, in bytes: so many at once, and as many again per day. That is 256
 * programs of full length or 8,000 of two kilobytes, and less than 6 GB in a year.
 */
export const SOURCE_BUDGET = {
  burst: 16 * 1024 ** 2,
  intervalMs: 86_400_000 / (16 * 1024 ** 2),
} as const

/**
 * What a student may write in questions, in bytes: so many at once, and as many again per day. Each message
 * counts `messageBytes` beside its text: 60 short ones at once and one more every 23 minutes, 90 MB in a year.
 * Staff answer as many as they can.
 */
export const QUESTION_BUDGET = {
  burst: 256 * 1024,
  intervalMs: 86_400_000 / (256 * 1024),
  messageBytes: 4 * 1024,
} as const

/**
 * Other rates: `burst` at once, then one per interval. Limits per address are wide: a class may share one.
 * Limits per site (an IPv6 /48, e.g. a campus) are four times as wide.
 */
export const RATE_LIMITS = {
  recoveryPerAddress: { burst: 60, intervalMs: 60_000 },
  recoveryPerSite: { burst: 240, intervalMs: 15_000 },
  /**
   * Recovery mails to one account. Who asks sooner gets the same answer but no mail. The mailed link still
   * works for three minutes or more, so nobody's requests can lock the owner out.
   */
  recoveryMail: { burst: 1, intervalMs: 420_000 },
  /** Mails that confirm an address: per asking person, and per address. */
  confirmPerUser: { burst: 3, intervalMs: 600_000 },
  confirmPerTarget: { burst: 5, intervalMs: 3_600_000 },
  checkPerAddress: { burst: 60, intervalMs: 1_000 },
  checkPerSite: { burst: 240, intervalMs: 250 },
  changePasswordPerUser: { burst: 10, intervalMs: 60_000 },
  exportPerUser: { burst: 5, intervalMs: 600_000 },
  /** Audit entries about one person's refusals at one route: repeated calls do not fill the log. */
  denialPerUserAndRoute: { burst: 1, intervalMs: 60_000 },
  /** Audit entries about refused sign-ins, per site. Each account keeps its own record of them for a while. */
  refusedSignInsPerSite: { burst: 60, intervalMs: 60_000 },
  /** Audit entries about one person's edits of their profile. */
  profileEditsPerUser: { burst: 10, intervalMs: 600_000 },
  copycatPerUser: { burst: 10, intervalMs: 60_000 },
} as const

/** Lifetime of mailed links in seconds. A reset is used at once; an invitation may wait. */
export const LINK_SECONDS = {
  reset: 600,
  activate: 7 * 86_400,
  confirm: 86_400,
  move: 86_400,
} as const

/**
 * New passwords. `guesses`: how many a good guesser needs at least (zxcvbn calls fewer than 10⁶ "very
 * guessable"). Only the first `judgedCharacters` count, with so many substitutions of digits for letters: a
 * check takes 1 ms, 28 at worst. `ownWordMin`: shorter parts of names are too common to count.
 */
export const PASSWORD_STRENGTH = {
  guesses: 1_000_000,
  judgedCharacters: 24,
  substitutions: 10,
  ownWordMin: 3,
} as const

/** Personal API tokens: number per person, length of a name, lifetime in days. */
export const API_TOKENS = { perUser: 50, name: 64, daysDefault: 90, daysMax: 366 } as const

/** Submissions of one person, and from one address. */
export const SUBMIT_LIMITS = { burst: 20, perMinute: 30, perAddressPerMinute: 600 } as const

/** Seconds after which a two-step submission without code is deleted. */
export const CLAIMED_SUBMISSION_SECONDS = 600

/** Kept output, for staff and, of sample cases, for the submitter: bytes per stream. */
export const KEPT_OUTPUT_BYTES = 64 * 1024

/** Kept output of one judgement, before base64. */
export const KEPT_OUTPUT_TOTAL_BYTES = 8 * 1024 * 1024

/** Longest reason that a runner gives staff, in characters. */
export const REASON_LENGTH = 2_000

/** Bytes of a compiler message; the rest is cut. */
export const COMPILE_MESSAGE_BYTES = 64 * 1024

/** The judging pipeline. Seconds, but for counts and what names its unit. */
export const JUDGING = {
  leaseSeconds: 60,
  heartbeatSeconds: 15,
  /** A runner is alive while its last heartbeat is younger. */
  runnerAliveSeconds: 45,
  maxAttempts: 3,
  /** A judgement that waits longer gets a new ticket from the sweeper. */
  ticketAgeSeconds: 30,
  /** How often an idle runner asks for work without a ticket. */
  idleClaimSeconds: 10,
  /** How long the server holds a host's call for a ticket open. Proxies end calls after 60 and more. */
  ticketWaitSeconds: 20,
  /** How often it looks for a job meanwhile: an idle host finds one after half of it on average. */
  ticketCheckMs: 500,
  /** Window of the fairness rank: a student's jobs in it count against the next one. */
  rankWindowSeconds: 600,
  progressIntervalMs: 1_000,
  /** After so many intervals the same progress is told again, as a channel forgets it after ten seconds. Of a sample run: at once. */
  progressRepeatIntervals: 8,
  /**
   * The longest that a job is held, however many heartbeats come; each case adds `holdSecondsPerCase` and
   * four times its time limit. Honest hosts with busy neighbours need less.
   */
  holdSeconds: 1_800,
  holdSecondsPerCase: 30,
} as const

/**
 * Hand-backs: jobs that a host had and gave no result for. That host waits before it takes the job again,
 * longer each time; a host that is alone waits only a share, and never long: nobody else would take the job.
 */
export const HAND_BACK = {
  firstWaitSeconds: 15,
  longestWaitSeconds: 600,
  /** A host that is alone waits one of so many parts. */
  aloneShare: 3,
  longestAloneSeconds: 30,
  /** Hand-backs of one job for longer are an alarm for staff. The job stays in the queue. */
  alarmSeconds: 3_600,
  /** Jobs at the head of the queue that a claim looks at. */
  lookAhead: 50,
} as const

/**
 * Sample runs. `inputCharacters`: of all own inputs together, in UTF-16 code units. `inputBytes`: of all
 * inputs and expected outputs as JSON, which may write a character with six bytes. A row of D1 (2 MB) holds
 * them with the code, and the outputs later.
 */
export const RUNS = {
  inputs: 10,
  inputCharacters: 256 * 1024,
  inputBytes: 1_900_000,
  /** New runs of one person, whatever their role: a host notices only after a second that one was replaced. */
  rate: { burst: 10, intervalMs: 3_000 },
  /** A run is deleted after so long. Seconds. */
  seconds: 3_600,
  /** Limits of a case above which the problem's do not count: CPU time in ms, output in KB. */
  timeMs: 10_000,
  outputKb: 1_024,
  /** Kept output of one run, before base64; of a stream `KEPT_OUTPUT_BYTES`. */
  keptBytes: 1024 ** 2,
  /** The longest that a host holds a run, however many heartbeats come. Seconds. */
  holdSeconds: 600,
  /** A host that had a run and gave no result leaves it to others for so long. Seconds. */
  avoidSeconds: 15,
} as const

/** Judge hosts. */
export const RUNNERS = {
  /** Hosts that may register; also how many are listed. */
  most: 200,
  /** Slots one host may have. */
  slots: 256,
  /** Jobs that may wait at a host for a slot, for each of its slots. */
  aheadPerSlot: 2,
  /** Jobs that a host may hold for each slot: the one in it, those ahead, and one whose result is on its way. */
  jobsPerSlot: 4,
  /** Slots of a host that are used unless an admin allows more, whatever it reports. */
  slotLimit: 64,
  /** Refused results after which a host gets no jobs until an admin activates it. */
  refusedResults: 3,
  /** Registrations of all hosts: a room of machines at once, then one a minute. */
  registration: { burst: 60, intervalMs: 60_000 },
  /**
   * Claims of one host that found nothing. Each job that it gets gives one back. An idle host makes one a
   * second at most, and one for each ticket that another host was faster with.
   */
  vainClaims: { burst: 60, intervalMs: 200 },
  /** With `most` hosts, one that registered itself and has been silent this long makes room. Seconds. */
  forgottenSeconds: 3_600,
  /** A host that registered itself leaves the list after so long a silence. Seconds. */
  silentSeconds: 7 * 86_400,
  /** Hosts are wanted until the queue would be empty in so many seconds. */
  queueTargetSeconds: 60,
  /** Slots of a host that is wanted while no host tells how many it has. */
  slotsGuess: 2,
} as const

/** Bounds of one case's result. The run time may be `timeFactor` times the time limit, and `timeMs` more. */
export const RESULT_LIMITS = { timeFactor: 10, timeMs: 10_000, memoryKb: 8 * 1024 * 1024 } as const

/** Open jobs that GET /metrics counts at most, so that a scrape's cost is bounded. */
export const METRICS = { jobs: 10_000 } as const

/** Signs of an installation in trouble. Seconds. */
export const ALARM = {
  /** A live job that waits longer for a judge host fails a strict health check. */
  waitingSeconds: 120,
  /** The sweeper runs each minute; one silent for longer does not run. */
  sweepSeconds: 300,
} as const

/**
 * Speed of judge hosts: CPU time of a fixed program (`runner/host/calibrate.ts`) on the machine on which
 * this project's limits were tried, a virtual AMD EPYC of 2026. A host that takes more than `slow` times as
 * long is reported.
 */
export const CALIBRATION = { referenceMs: 100, slowFactor: 1.3 } as const

/** Operations on the step queue. Seconds, but for `maxAttempts` and `sliceMs`. */
export const OPERATIONS = {
  /** A consumer's lease on an operation; longer than any step lasts. */
  leaseSeconds: 120,
  /** An operation without progress for this long gets a new message from the sweeper. */
  stalledSeconds: 60,
  /** Failures of one step in a row that end the operation. */
  maxAttempts: 5,
  /** Time that a consumer works on one operation before it sends a message for the rest. */
  sliceMs: 10_000,
} as const

/** Previews of rejudges. */
export const PREVIEW = {
  /** How long one can be applied. Its outputs must outlive it: `SWEEP.markedSeconds`. Seconds. */
  seconds: 2 * 86_400,
  /** Submissions judged again, or applied, in one step. */
  chunk: 100,
  /** Results of earlier test data are counted up to so many: each is read for it. */
  mostCounted: 1_000,
} as const

/** Retention, and how much one run of the sweeper (each minute) deletes at most. */
export const SWEEP = {
  /** Objects of each kind in R2 that are checked for rows that name them. */
  objects: 500,
  /** Younger objects may belong to a call under way. Seconds. */
  orphanSeconds: 3_600,
  /** Time between marking and deleting, of orphans and of courses that nobody can restore. Seconds. */
  markedSeconds: 7 * 86_400,
  /** Share of orphans in a page above which an admin has to confirm; a single object never needs it. */
  orphanShare: 0.1,
  /** How long that confirmation holds. Seconds. */
  confirmedSeconds: 86_400,
  /** Submissions of purged courses. */
  purgedSubmissions: 100,
  /** Questions of purged courses, with their messages. */
  purgedQuestions: 50,
  /** Rows of other tables. */
  rows: 500,
  /** Buckets of rate limits that are looked at. */
  buckets: 5_000,
  /** Days that a finished operation is kept. */
  operationDays: 30,
  /** Versions of test data that one call considers for hashing. */
  hashCandidates: 50,
} as const

/**
 * Old submissions: their code and the details of their judgements move from the database into packs in the bucket, and the kept
 * outputs go.
 */
export const PACKING = {
  /** Two terms of half a year do not meet: pages of the running term read the database alone. Days. */
  afterDays: 180,
  /** The age at which they are packed goes in such steps, so that a pack holds a week of a course. */
  everySeconds: 7 * 86_400,
  /** Submissions that one run of the sweeper looks at. */
  rows: 500,
  /** Submissions whose rows change in one transaction: others wait for it. */
  slice: 25,
  /** Code and judgements that it packs at once, but for one submission. Bytes. */
  bytes: 4 * 1024 ** 2,
  /** A submission with more stays in the database: after very many judgements it would not fit into the Worker's memory. Bytes. */
  mostBytes: 16 * 1024 ** 2,
} as const

/**
 * The database. `mostBytes`: what one D1 holds (developers.cloudflare.com/d1/platform/limits). From these shares of it on an
 * admin is warned.
 */
export const DATABASE = {
  mostBytes: 10_000_000_000,
  warnShare: 0.7,
  alarmShare: 0.9,
  /** Growth is measured over so many days, once there are `leastDays` of them. */
  growthDays: 28,
  leastDays: 2,
} as const

/**
 * IP addresses of submissions, audit entries and sign-ins are removed after so many days: long enough to
 * look into an exam, short enough not to be a collection.
 */
export const PRIVACY = { addressDays: 90 } as const

/**
 * Copy detection. A k-gram of 16 tokens is a little longer than the head of a `for` loop, which all
 * programs share. With windows of 8, no run of 23 equal tokens is missed.
 */
export const COPYCAT = {
  gramTokens: 16,
  windowGrams: 8,
  /** A fingerprint in more programs than this, and in more than this share of them, is boilerplate. */
  commonPrograms: 10,
  commonShare: 1 / 3,
  /** Positions of one fingerprint tried in the other program. */
  candidatesTried: 16,
  /** Pairs in a report, the most similar ones. */
  pairs: 1_000,
  /** Bars of the histogram of similarities: 0.1 each. */
  histogramBars: 10,
  /** Code of one report in bytes: 300 programs of full length. */
  sourceBytes: 24 * 1024 ** 2,
  /** Programs read in one step: at most 1 MiB. */
  readChunk: 16,
  /** Tokens compared in one step: half a second. */
  compareWork: 50_000_000,
} as const

/** Places of the queue beyond this one are told as this one: each is counted. */
export const QUEUE_POSITION_MOST = 100

/** Largest age of the queue position on a waiting page, in seconds. */
export const QUEUE_POSITION_SECONDS = 10

/** Sockets over which the server pushes hints to open pages. */
export const LIVE = {
  /** Of one person: one a browser. A further one ends the oldest. */
  sockets: 20,
  /** Of one person, with those that were told to close and have not: with so many no further one is opened. */
  socketsHeld: 40,
  /** Of one judge host: one a process, and those whose end nobody has noticed yet. */
  socketsOfHost: 4,
  /** Of one judge host, and of all, removed ones too: as `socketsHeld`. */
  socketsOfHostHeld: 16,
  hostSocketsHeld: 1_600,
  /** Of one person: judgings whose progress is remembered. */
  progress: 50,
  /** How long a call waits for a channel, ms. */
  answerMs: 500,
  /** Whom one announcement is told at most; the others read it with their next page. A call may talk to a thousand objects. */
  told: 900,
  /** After this time a socket ends with its next hint; the page connects again, with its session. Seconds. */
  seconds: 3_600,
  /** How often a page asks whether the connection is there; without an answer until then it connects again. Ms. */
  pingMs: 25_000,
  /** How often a page asks the tab with the socket; without an answer until then it polls. Ms. */
  askMs: 5_000,
  /** A host that has been silent for longer is not told of jobs. Ms. */
  hostSilentMs: 60_000,
  /** How long a page keeps a socket that nobody wants any more. Ms. */
  lingerMs: 10_000,
  /** How often a waiting page reads although hints come, because one may be lost. Ms. */
  pollMs: 30_000,
  /** Pause before a page connects again: up to three times the first one, then more, at most the longest. Ms. */
  reconnectMs: { first: 2_000, longest: 60_000 },
} as const

/**
 * Polling intervals of a waiting submission page without hints, in ms. In the queue it asks less often the further back it is:
 * `perPlace` for each place, at most `longest`.
 */
export const POLLING_MS = {
  first: 300,
  firstForMs: 5_000,
  later: 800,
  hidden: 5_000,
  perPlace: 50,
  longest: 10_000,
} as const

/** Students in each ranking of a problem. */
export const RANKED = 10

/** How long the server-error toast stays, in ms. */
export const TOAST_MS = 2_400

/** Width in px from which the layout is the desktop one. */
export const DESKTOP_BREAKPOINT_PX = 1_024
