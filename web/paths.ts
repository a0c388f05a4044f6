/** Every address of the app as a function of its route's parameters, in their order. */
import { PAGES, type PageName } from './pages.ts'

type Value<Param> = Param extends 'problemId' ? number : string

type Values<Route> = Route extends `${string}:${infer Param}/${infer Rest}`
  ? [Value<Param>, ...Values<Rest>]
  : Route extends `${string}:${infer Param}`
    ? [Value<Param>]
    : []

function pathOf<Route extends string>(route: Route) {
  return (...values: Values<Route>): string => {
    const left: (string | number)[] = [...values]
    return route.replaceAll(/:\w+/g, () => encodeURIComponent(String(left.shift())))
  }
}

const pagePaths = Object.fromEntries(
  Object.entries(PAGES).map(([name, [route]]) => [name, pathOf(route)]),
) as { [Name in PageName]: (...values: Values<(typeof PAGES)[Name][0]>) => string }

/** A query of the submission list. */
interface SubmissionFilter {
  problemId?: number
  username?: string
  status?: number
}

export const paths = {
  ...pagePaths,
  admin: pathOf('/admin'),
  course: pathOf('/course/:name'),
  submissions(course: string, filter: SubmissionFilter = {}): string {
    const query = new URLSearchParams()
    if (filter.problemId !== undefined) query.set('problemId', String(filter.problemId))
    if (filter.username !== undefined) query.set('username', filter.username)
    if (filter.status !== undefined) query.set('status', String(filter.status))
    const text = query.toString()
    return `${pagePaths.submissions(course)}${text === '' ? '' : `?${text}`}`
  },
}
