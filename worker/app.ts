/** The API's table of contents: middleware in order, then the calls of each feature. */
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import { secureHeaders } from 'hono/secure-headers'
import { openDb } from './db/client.ts'
import type { AppEnv } from './env.ts'
import { alarms } from './features/alarms/routes.ts'
import { archive } from './features/archive/routes.ts'
import { announcements } from './features/announcements/routes.ts'
import { audit } from './features/audit/routes.ts'
import { auth } from './features/auth/routes.ts'
import { calendar } from './features/calendar/routes.ts'
import { copies } from './features/copies/routes.ts'
import { copycat } from './features/copycat/routes.ts'
import { courses } from './features/courses/routes.ts'
import { marks } from './features/gradebook/mark-routes.ts'
import { refreshChanged } from './features/gradebook/refresh-step.ts'
import { gradebook } from './features/gradebook/routes.ts'
import { markSettings } from './features/gradebook/setting-routes.ts'
import { health } from './features/health/routes.ts'
import { homeworks } from './features/homeworks/routes.ts'
import { metrics } from './features/metrics/routes.ts'
import { operations } from './features/operations/routes.ts'
import { joining } from './features/joining/routes.ts'
import { judging } from './features/judging/routes.ts'
import { languages } from './features/languages/routes.ts'
import { labels } from './features/labels/routes.ts'
import { lateDays } from './features/late-days/routes.ts'
import { live } from './features/live/routes.ts'
import { mistakeComments } from './features/mistakes/comment-routes.ts'
import { hints } from './features/mistakes/hint-routes.ts'
import { mistakes } from './features/mistakes/routes.ts'
import { notices } from './features/notices/routes.ts'
import { openapi } from './features/openapi/routes.ts'
import { problemFiles } from './features/problems/file-routes.ts'
import { problems } from './features/problems/routes.ts'
import { testData } from './features/problems/test-data-routes.ts'
import { regrades } from './features/questions/regrade-routes.ts'
import { requests } from './features/questions/request-routes.ts'
import { questions } from './features/questions/routes.ts'
import { overview } from './features/overview/routes.ts'
import { rejudging } from './features/judging/rejudge/rejudge-routes.ts'
import { runners } from './features/runners/routes.ts'
import { search } from './features/search/routes.ts'
import { setup } from './features/setup/routes.ts'
import { storage } from './features/storage/routes.ts'
import { sampleRuns } from './features/submissions/sample-run-routes.ts'
import { submissions } from './features/submissions/routes.ts'
import { tokens } from './features/tokens/routes.ts'
import { users } from './features/users/routes.ts'
import { webhooks } from './features/webhooks/routes.ts'
import { inBackground } from './http/background.ts'
import { notFound, onError } from './http/errors.ts'
import { mount } from './http/route.ts'
import { nowSeconds } from './lib/clock.ts'
import { newHexId } from './lib/ids.ts'

/** Headers that a page of another origin may read; browsers hide most others (Fetch, CORS protocol). */
const READABLE_HEADERS = ['ETag', 'Date', 'Retry-After', 'X-Request-Id', 'Content-Disposition']

const tagAnswer = etag({
  retainedHeaders: [
    ...RETAINED_304_HEADERS,
    // Without these headers browsers keep the answer from pages of another origin.
    'Access-Control-Allow-Origin',
    'Access-Control-Allow-Credentials',
    'Access-Control-Expose-Headers',
  ],
})

const UNTAGGED =
  /^\/api\/(?:auth\/me\/export|live|course\/[^/]+\/(?:archive|gradebook\/file)|homework\/[^/]+\/programs)$/

/** Every call, by feature. */
const calls = mount([
  ...health,
  ...auth,
  ...tokens,
  ...users,
  ...courses,
  ...announcements,
  ...homeworks,
  ...labels,
  ...lateDays,
  ...gradebook,
  ...marks,
  ...markSettings,
  ...copies,
  ...archive,
  ...calendar,
  ...search,
  ...overview,
  ...problems,
  ...sampleRuns,
  ...submissions,
  ...judging,
  ...rejudging,
  ...languages,
  ...live,
  ...questions,
  ...regrades,
  ...requests,
  ...mistakes,
  ...hints,
  ...mistakeComments,
  ...joining,
  ...notices,
  ...webhooks,
  ...copycat,
  ...runners,
  ...storage,
  ...setup,
  ...alarms,
  ...metrics,
  ...audit,
  ...openapi,
  ...operations,
  ...problemFiles,
  ...testData,
])

export const app = new Hono<AppEnv>()
  .basePath('/api')
  .use(async (c, next) => {
    c.set('requestId', newHexId(Date.now()))
    c.set('db', openDb(c.env.DB))
    await next()
    c.header('X-Request-Id', c.get('requestId'))
    // The app's countdowns follow this date; workerd sends none by itself.
    c.header('Date', new Date().toUTCString())
    // Lets a statement on another host of the same site show its images.
    if (c.req.path.startsWith('/api/file/')) c.header('Cross-Origin-Resource-Policy', 'same-site')
    if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store')
  })
  .use(async (c, next) => {
    await next()
    const { db, changedCourseId: courseId } = c.var
    if (courseId !== undefined)
      inBackground(c, 'marks', refreshChanged(c.env, db, courseId, nowSeconds()))
  })
  .use(
    secureHeaders({
      strictTransportSecurity: 'max-age=31536000; includeSubDomains',
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        // Uploads and outputs run no script, even when somebody opens their address.
        sandbox: [],
      },
      referrerPolicy: 'no-referrer',
    }),
  )
  .use(async (c, next) => {
    const origin = c.env.WEB_ORIGIN
    if (origin === undefined) return next()
    return cors({ origin, credentials: true, exposeHeaders: READABLE_HEADERS, maxAge: 600 })(
      c,
      next,
    )
  })
  // An ETag needs the whole answer, but exports and zips are streamed because they may be large, and `/api/live` is a socket.
  .use((c, next) => (UNTAGGED.test(c.req.path) ? next() : tagAnswer(c, next)))
  .route('/', calls)
  .onError(onError)
  .notFound(notFound)
