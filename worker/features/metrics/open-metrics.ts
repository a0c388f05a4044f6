/** The text of GET /metrics, in the form of OpenMetrics 1.0. docs/operating-server.md explains each name. */
import * as z from 'zod'
import { alarmState } from '#contract/installation/alarms'
import { JUDGING } from '#contract/limits'
import { STATUS_NAMES, verdict } from '#contract/verdicts'
import { PRIORITY } from '../../db/schema.ts'
import type { Figures } from './queries.ts'

type Labels = Readonly<Record<string, string>>
type Sample = readonly [labels: Labels, value: number]

const PREFIX = 'coursejudge_'

/** Escapes a label value, such as a host's name, which may contain any character. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

/** One family: its type, its help and its samples. */
function family(type: 'gauge' | 'counter', name: string, help: string, samples: Sample[]): string {
  const suffix = type === 'counter' ? '_total' : ''
  const lines = samples.map(([labels, value]) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
    return `${PREFIX}${name}${suffix}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`
  })
  return [`# TYPE ${PREFIX}${name} ${type}`, `# HELP ${PREFIX}${name} ${help}`, ...lines].join('\n')
}

const single = (value: number): Sample[] => [[{}, value]]

const counts = z.array(z.int())

/** The families about jobs without a result. */
function ofQueue(jobs: Figures['jobs'], now: number): string[] {
  const queued = Object.entries(PRIORITY).map(
    ([label, priority]) =>
      [label, jobs.find((row) => row.priority === priority && row.state === 'queued')] as const,
  )
  const judging = jobs.filter(({ state }) => state === 'leased')
  return [
    family(
      'gauge',
      'jobs_waiting',
      'Jobs that wait for a judge host.',
      queued.map(([priority, row]) => [{ priority }, row?.jobs ?? 0]),
    ),
    family(
      'gauge',
      'oldest_waiting_seconds',
      'How long the oldest of them has waited.',
      queued.map(([priority, row]) => [{ priority }, Math.max(0, now - (row?.oldestAt ?? now))]),
    ),
    family(
      'gauge',
      'jobs_judging',
      'Jobs that a judge host has.',
      single(judging.reduce((sum, row) => sum + row.jobs, 0)),
    ),
  ]
}

/** The families about judge hosts. */
function ofHosts(hosts: Figures['hosts'], now: number): string[] {
  const live = hosts.filter(({ heartbeatAt }) => heartbeatAt > now - JUDGING.runnerAliveSeconds)
  const active = live.filter(({ state }) => state === 'active')
  const labelled = hosts.map((host) => ({ ...host, labels: { host: host.id, name: host.name } }))
  const verdicts = labelled.flatMap(({ labels, verdictCounts }) => {
    const byStatus = counts.parse(JSON.parse(verdictCounts))
    return [...verdict.values].map((status): Sample => [
      { ...labels, verdict: STATUS_NAMES[status] },
      byStatus[status] ?? 0,
    ])
  })
  const slots = active.reduce((sum, host) => sum + host.slots, 0)
  return [
    family('gauge', 'hosts_alive', 'Judge hosts with a young heartbeat.', single(live.length)),
    family('gauge', 'slots', 'Slots of the living hosts that take jobs.', single(slots)),
    family('counter', 'verdicts', 'Verdicts that a judge host brought.', verdicts),
    family(
      'counter',
      'judge_seconds',
      'Seconds from claim to result, summed over jobs.',
      labelled.map(({ labels, busySeconds }) => [labels, busySeconds]),
    ),
  ]
}

/** @param now epoch seconds */
export function openMetrics(
  { jobs, hosts, notes, alarms, rowsRead, databaseBytes }: Figures,
  now: number,
): string {
  const sweptAt = notes.get('swept_at')
  const errors = (['api', 'sweep', 'mail'] as const).map((part): Sample => [
    { part },
    notes.get(`${part}_errors`) ?? 0,
  ])
  const sweep = sweptAt === undefined ? [] : single(sweptAt)
  const lasting = alarmState.options.map((state): Sample => [
    { state },
    Number(alarms.some((alarm) => alarm.state === state)),
  ])
  const families = [
    ...ofQueue(jobs, now),
    ...ofHosts(hosts, now),
    family('counter', 'errors', 'Faults of the server: calls, sweeps, mails.', errors),
    family('gauge', 'sweep_timestamp_seconds', 'When the sweeper last ran.', sweep),
    family(
      'gauge',
      'alarm',
      'States in which the operator has to come: 1 while one lasts.',
      lasting,
    ),
    family('gauge', 'database_bytes', 'Size of the database.', single(databaseBytes)),
    family(
      'gauge',
      'scrape_rows_read',
      'Rows of the database that this answer cost.',
      single(rowsRead),
    ),
  ]
  return `${families.join('\n')}\n# EOF\n`
}
