/** The printed seed of all random choices; repeat a run with FAULTS_SEED=7 npm run test:faults. */
export const seed = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000)
console.log(`FAULTS_SEED=${seed}`)
