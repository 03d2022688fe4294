// Regenerates docs/conformance.md (`npm run conformance`).
import { writeDocument } from '../test/runner/conformance.ts';

writeDocument();
