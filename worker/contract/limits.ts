/**
 * Every number of the product, named, with its unit. A limit that is not here does not exist.
 * The reason stands beside a number that does not explain itself.
 */

/** Length limits of text fields, in UTF-16 code units, as the browser's `maxlength` counts them. */
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
  /** The beginning of an announcement that lists carry, in characters (code points); an index says it too. */
  announcementExcerpt: 500,
  homeworkName: 64,
  homeworkMarkdown: 10_000,
  problemName: 64,
  tag: 16,
  /** One statement part (description, input, output or hint). */
  statementPart: 50_000,
  /** One sample input or output. */
  sample: 16_384,
  search: 64,
} as const

/** How many of a thing one request may carry. */
export const COUNT_LIMITS = {
  tags: 16,
  samples: 20,
  subtasks: 100,
  casesPerSubtask: 100,
  homeworkProblems: 100,
  /** Faults that one refusal names, and after which no more of a list is judged. */
  fieldErrors: 20,
  /** New passwords hashed inside one batch sign-up request, scrypt costs about 0.2 s each; more become an operation. */
  batchSignupPasswords: 50,
  /** New passwords hashed in one step of that operation. */
  batchSignupChunk: 10,
  batchSignupRows: 5_000,
  /** Rows judged without a rest. */
  batchSignupJudged: 5,
  /** Cells of its CSV: five for each row that count, and as many again for what else a spreadsheet has. */
  batchSignupCells: 100_000,
  listItems: 200,
  listItemsDefault: 50,
  /** What a page by `offset` passes over is read; who goes further back uses the cursor. */
  listOffset: 1_000,
  membersPerRequest: 2_000,
  /** Accounts that one recovery mail names, where several claim an address that nobody has confirmed. */
  claimsPerMail: 10,
  /** Announcements of one course. */
  announcements: 200,
} as const

/** A deleted course can be restored this long, and keeps its name. Seconds. */
export const COURSE_RESTORE_SECONDS = 30 * 86_400

/** Then the sweeper takes it away for good, a day later, so that no restoring is cut short half way. Seconds. */
export const COURSE_PURGE_SECONDS = COURSE_RESTORE_SECONDS + 86_400

/** Source code of one submission: at most 64 KiB, in bytes. */
export const SOURCE_LIMIT_BYTES = 64 * 1024

/** A zip with one source file: that file even where it is not packed, and 16 KiB for a zip’s records and comment. */
export const SOURCE_ZIP_LIMIT_BYTES = SOURCE_LIMIT_BYTES + 16 * 1024

/** How much of a body is read, and how deep its JSON may be; the table of calls says which call takes more than others. */
export const BODY_LIMITS = {
  /** From who need not sign in: names, addresses, passwords and the tokens of mailed links. */
  guestBytes: 4 * 1024,
  /** Any other JSON. */
  formBytes: 256 * 1024,
  /** An announcement, whose text JSON may write with six bytes a character. */
  announcementBytes: 768 * 1024,
  /** A submission, whose 64 KiB JSON may write with six bytes each. */
  submissionBytes: 512 * 1024,
  /** A problem with every text at its longest, or the people of a whole school as CSV. */
  longFormBytes: 4 * 1024 ** 2,
  /** A runner's result: the kept outputs in base64, and room for the rest. */
  resultBytes: 16 * 1024 ** 2,
  /** Room for the form around its file. */
  formAroundFileBytes: 64 * 1024,
  /** Lists and objects within each other; the deepest honest body has five. */
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
  /** Bytes of central directory that a runner is willing to read. */
  centralDirectoryBytes: 4 * 1024 ** 2,
  /** Bytes at the end of a zip that are read to find its directory; a longer comment is refused. */
  zipEndBytes: 16 * 1024,
  /** Bytes of directory an entry may take on average: its header, a name, room for extra fields. */
  directoryBytesPerEntry: 128,
  /** One file and all files after inflating. */
  entryBytes: 256 * 1024 ** 2,
  inflatedBytes: 4 * 1024 ** 3,
  /** Inflated size ÷ packed size of one entry; deflate cannot exceed 1032. */
  ratio: 1032,
} as const

/** Limits a subtask may ask for. Time in ms, memory and output in KB (1024 bytes). */
export const SUBTASK_LIMITS = {
  timeMs: { min: 1, max: 60_000, default: 1_000 },
  memoryKb: { min: 1_024, max: 4 * 1024 * 1024, default: 256 * 1024 },
  outputKb: { min: 1, max: 1024 * 1024, default: 65_536 },
  score: { min: 0, max: 100 },
} as const

/** The scores of all subtasks of a problem add up to this. */
export const TOTAL_SCORE = 100

/** Quota value that means "as often as you like". */
export const QUOTA_UNLIMITED = -1

/** The largest daily quota that can be set. */
export const QUOTA_MAX = 10_000

/**
 * Submissions of one person to one problem. `kept`: so many are part of their summary, which is written whole; `read`:
 * of somebody who has made more, homeworks and scoreboards of a time look back on the newest of that time, more than
 * anybody makes by hand.
 */
export const ATTEMPTS = { kept: 50, read: 1_000 } as const

/**
 * Sessions: end after this long without a call, and at the latest this long after sign-in; a typed password allows this
 * long what needs a fresh one. Seconds.
 */
export const SESSION_SECONDS = { idle: 7 * 86_400, absolute: 30 * 86_400, confirmed: 600 } as const

/**
 * Attempts to sign in that failed or are still being checked: so many at once, then one more per interval. Who succeeds
 * gives the token back, so a class of 60 may sign in behind one address at once. `Site`: an IPv4 address, or the /48 that
 * a customer with IPv6 may hold. Nobody waits longer than an interval.
 */
export const LOGIN_LIMITS = {
  perAccountAndSite: { burst: 10, intervalMs: 60_000 },
  /** From everywhere together, but for browsers that have signed in to the account: more than one site can use up. */
  perAccount: { burst: 20, intervalMs: 60_000 },
  /** From one such browser, whatever others do. */
  perDevice: { burst: 10, intervalMs: 60_000 },
  /** From one IPv4 address or one /64, on all accounts. */
  perAddress: { burst: 100, intervalMs: 6_000 },
  /** From one /48, where a campus has its networks. */
  perSite: { burst: 400, intervalMs: 1_500 },
} as const

/** A browser that has signed in to an account is known to it so long, in seconds, with this many accounts, the latest. */
export const KNOWN_DEVICE = { seconds: 365 * 86_400, accounts: 5 } as const

/**
 * Hashing a password holds the one thread of an isolate for 0.1 s and more, so whoever asks for it waits for a turn:
 * `restMs` between two leaves room for other calls, a browser or site has at most `waiting` in the row. Who does not ask
 * every `pollMs` has hung up, and is passed over after `lostMs`. Whom a full row refuses may come again after `fullMs`.
 * After a wrong password its browser or site rests for `vainRestMs`, so that guesses hold a fifth of the thread.
 */
export const HASHING = {
  restMs: 50,
  vainRestMs: 500,
  pollMs: 10,
  lostMs: 5_000,
  waiting: 64,
  fullMs: 10_000,
} as const

/**
 * Calls of one person that write, signing in among them, all together: so many at once, then one more per interval. A student hands in at most
 * 30 times a minute, each in two calls at most. Staff (admins, teachers, teaching assistants of any course) send problems
 * by script and test data in parts: 1,200 parts of 8 MiB are 9 GiB at once, four a second are 32 MiB/s for ever.
 */
export const WRITE_LIMITS = {
  perStudent: { burst: 120, intervalMs: 1_000 },
  perStaff: { burst: 1_200, intervalMs: 250 },
} as const

/**
 * Source code that a student may hand in, in bytes: so many at once, and as many more in a day. 256 programs of full
 * length or 8,000 of two kilobytes; whoever goes on for a year fills less than 6 GB.
 */
export const SOURCE_BUDGET = {
  burst: 16 * 1024 ** 2,
  intervalMs: 86_400_000 / (16 * 1024 ** 2),
} as const

/**
 * Other rates: this many at once, then one more per interval. Per address they stay wide: a class may share one. Per site
 * (the /48 of an IPv6 address, where a campus has its networks) they are four times as wide.
 */
export const RATE_LIMITS = {
  recoveryPerAddress: { burst: 60, intervalMs: 60_000 },
  recoveryPerSite: { burst: 240, intervalMs: 15_000 },
  /**
   * Mails that lead back into an account: who asks sooner gets the same answer and no other mail. The link that was mailed
   * still works for three minutes or more, so nobody's requests keep an owner from getting in.
   */
  recoveryMail: { burst: 1, intervalMs: 420_000 },
  /** Mails that confirm an address: asked for by one person, and sent to one address. */
  confirmPerUser: { burst: 3, intervalMs: 600_000 },
  confirmPerTarget: { burst: 5, intervalMs: 3_600_000 },
  checkPerAddress: { burst: 60, intervalMs: 1_000 },
  checkPerSite: { burst: 240, intervalMs: 250 },
  changePasswordPerUser: { burst: 10, intervalMs: 60_000 },
  exportPerUser: { burst: 5, intervalMs: 600_000 },
  /** Entries of the audit log about one person's refusals at one route: whoever knocks on does not fill it. */
  denialPerUserAndRoute: { burst: 1, intervalMs: 60_000 },
  copycatPerUser: { burst: 10, intervalMs: 60_000 },
} as const

/** How long a mailed link works, in seconds: a reset is asked for and used at once, an invitation may wait. */
export const LINK_SECONDS = {
  reset: 600,
  activate: 7 * 86_400,
  confirm: 86_400,
  move: 86_400,
} as const

/**
 * New passwords. `guesses`: what a good guesser needs at least (zxcvbn calls fewer than 10⁶ "very guessable"). The first
 * `judgedCharacters` decide, and so many substitutions of digits for letters are tried: a judgement costs a millisecond,
 * 28 at worst. `ownWordMin`: shorter parts of names are everywhere.
 */
export const PASSWORD_STRENGTH = {
  guesses: 1_000_000,
  judgedCharacters: 24,
  substitutions: 10,
  ownWordMin: 3,
} as const

/** Personal API tokens: how many per person, how long a name, and how many days they live at most. */
export const API_TOKENS = { perUser: 50, name: 64, daysDefault: 90, daysMax: 366 } as const

/** Submission rate. */
export const SUBMIT_LIMITS = { burst: 20, perMinute: 30, perAddressPerMinute: 600 } as const

/** A two-step submission whose code never came is forgotten after this many seconds. */
export const CLAIMED_SUBMISSION_SECONDS = 600

/** Output kept for staff, and for the submitter on sample cases: each stream is cut to this many bytes. */
export const KEPT_OUTPUT_BYTES = 64 * 1024

/** All kept output of one judgement together, before base64. */
export const KEPT_OUTPUT_TOTAL_BYTES = 8 * 1024 * 1024

/** Compiler messages are cut to this many bytes. */
export const COMPILE_MESSAGE_BYTES = 64 * 1024

/** The judging pipeline. Seconds, but for counts and what names its unit. */
export const JUDGING = {
  leaseSeconds: 60,
  heartbeatSeconds: 15,
  /** A runner whose last heartbeat is older does not count as alive. */
  runnerAliveSeconds: 45,
  maxAttempts: 3,
  /** A judgement that waits longer than this gets a new ticket from the sweeper. */
  ticketAgeSeconds: 30,
  /** An idle runner asks for work without a ticket this often. */
  idleClaimSeconds: 10,
  /** Window of the fairness rank: a student's own jobs in it count against the next one. */
  rankWindowSeconds: 600,
  progressIntervalMs: 1_000,
  /**
   * However often its host says that it is at work, a job is held this long at most, plus so much per case beside four times
   * its time limit: more than an honest host with busy neighbours ever takes.
   */
  holdSeconds: 1_800,
  holdSecondsPerCase: 30,
} as const

/**
 * A job that a host had and gave no result for. That host waits before it takes it again, longer each time; a host that is
 * alone waits a share of that. Seconds, but for `lookAhead` and `aloneShare`.
 */
export const HAND_BACK = {
  firstWait: 15,
  longestWait: 600,
  /** What a host waits while no other lives: one of so many parts. */
  aloneShare: 3,
  /** A job that goes from host to host for longer is an alarm for staff; it stays in the queue. */
  alarm: 3_600,
  /** Jobs at the head of the queue among which a claim looks for one that this host has not just handed back. */
  lookAhead: 50,
} as const

/** Judge hosts. */
export const RUNNERS = {
  /** Hosts there may be before another one cannot register; also how many are listed. */
  most: 200,
  /** Slots one host may have. */
  slots: 256,
  /** Slots of a host that are used unless an admin allows more: whatever it says, it holds no more jobs. */
  slotLimit: 64,
  /** Refused results after which a host gets no more jobs until an admin puts it back to work. */
  refusedResults: 3,
  /** Registrations of all hosts together: a room of machines at once, then one a minute. */
  registration: { burst: 60, intervalMs: 60_000 },
  /**
   * Claims of one host that found nothing, beyond one for each job that it got: an idle host makes one a second at most,
   * and one for each ticket that another host was faster with.
   */
  vainClaims: { burst: 60, intervalMs: 200 },
  /** When there are `most`, one that registered itself and has been silent this long makes room for the next. Seconds. */
  forgottenSeconds: 3_600,
} as const

/** What a result may say of one case. The time limit bounds its run time: that many times, and so much more, in ms. */
export const RESULT_LIMITS = { timeFactor: 10, timeMs: 10_000, memoryKb: 8 * 1024 * 1024 } as const

/**
 * How fast judge hosts are: CPU time of a fixed program (`runner/host/calibrate.ts`) on the machine that this project's time
 * limits were tried on, a virtual AMD EPYC of 2026; a host that takes more than `slow` times that is told about.
 */
export const CALIBRATION = { referenceMs: 100, slow: 1.3 } as const

/** Operations on the step queue. Seconds, but for `maxAttempts` and `sliceMs`. */
export const OPERATIONS = {
  /** Nobody else works on an operation for this long after a consumer has taken it; longer than any step may last. */
  leaseSeconds: 120,
  /** An operation that has not moved for this long gets a new message from the sweeper. */
  stalledSeconds: 60,
  /** A step that failed this often in a row ends the operation. */
  maxAttempts: 5,
  /** A consumer works on one operation this long, then sends a message for the rest. */
  sliceMs: 10_000,
} as const

/** What one run of the sweeper (each minute) takes away at most, and how long it leaves things alone. */
export const SWEEP = {
  /** Objects of each kind in R2 that are asked whether anything still names them. */
  objects: 500,
  /** A younger object may belong to a call that is still under way. Seconds. */
  orphanSeconds: 3_600,
  /** What nothing names, and a course that nobody can restore, is marked and goes if it is still so after this. Seconds. */
  markedSeconds: 7 * 86_400,
  /** A page of objects of which a larger share would go waits for an admin's word; one object may always go. */
  orphanShare: 0.1,
  /** That word holds this long. Seconds. */
  confirmedSeconds: 86_400,
  /** Submissions of a course that nobody can restore any more. */
  purgedSubmissions: 100,
  /** Rows of other tables. */
  rows: 500,
  /** A finished operation can be asked for this long. */
  operationDays: 30,
  /** Versions of test data that are looked at in one call for one to hash. */
  hashCandidates: 50,
} as const

/**
 * Internet addresses of submissions, of the audit log and of sign-ins are removed after this many days: long enough
 * to look into an exam, short enough not to be a collection.
 */
export const PRIVACY = { addressDays: 90 } as const

/**
 * Copy detection. A k-gram of 16 tokens is a little longer than the head of a `for` loop, which all
 * programs share; with windows of 8 no run of 23 equal tokens is missed.
 */
export const COPYCAT = {
  gramTokens: 16,
  windowGrams: 8,
  /** A fingerprint is boilerplate when more programs than this have it, and more than this share of them. */
  commonPrograms: 10,
  commonShare: 1 / 3,
  /** How many positions of one fingerprint in the other program are tried. */
  candidatesTried: 16,
  /** Pairs in a report, the most similar ones. */
  pairs: 1_000,
  /** Bars of the histogram of similarities: 0.1 each. */
  histogramBars: 10,
  /** Code of one report in bytes: 300 programs of full length fit. */
  sourceBytes: 24 * 1024 ** 2,
  /** Programs read in one step: at most 1 MiB. */
  readChunk: 16,
  /** Tokens looked at in one step, about half a second. */
  compareWork: 50_000_000,
} as const

/** The queue position that a waiting page shows is at most this old, in seconds. */
export const QUEUE_POSITION_SECONDS = 10

/** How often a waiting submission page asks again, in ms. */
export const POLLING_MS = { first: 300, firstForMs: 5_000, later: 800, hidden: 5_000 } as const

/** How many students each ranking of a problem names. */
export const RANKED = 10

/** The server-error toast stays this long, in ms. */
export const TOAST_MS = 2_400

/** Width in px from which the layout is the desktop one. */
export const DESKTOP_BREAKPOINT_PX = 1_024
