// npm run rules: writes the rules of deploy/prometheus as a resource for the operator of Prometheus.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './prepare.mjs';

const HEAD = `# Written by \`npm run rules\` from deploy/prometheus/rules.yaml.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: recense
spec:
`;

/** The text of a file of rules, such as Prometheus reads, as that resource. */
export function prometheusRule(rules) {
  return HEAD + rules.slice(rules.indexOf('groups:')).replace(/^(?=.)/gm, '  ');
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const rules = readFileSync(join(root, 'deploy/prometheus/rules.yaml'), 'utf8');
  writeFileSync(join(root, 'deploy/kubernetes/monitoring/prometheus-rule.yaml'), prometheusRule(rules));
}
