import { encode } from 'uqr'

/** The quiet zone that readers need, in modules. */
const QUIET = 4

/** A link as QR code: always dark on white, because many readers take nothing else. */
export function JoinQr({ link, title }: { link: string; title: string }) {
  const { data, size } = encode(link, { ecc: 'M', border: QUIET })
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
  )
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={title} shapeRendering="crispEdges">
      <title>{title}</title>
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}
