import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../src/kit/deps.ts';

export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Heap Fetches'?: number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Runs a query and returns the nodes of its plan that were executed. */
export const planOf = async (db: Db, query: RawBuilder<unknown>): Promise<PlanNode[]> => {
  const explained = sql<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>`explain (analyze, format json) ${query}`;
  const plan = (await explained.execute(db)).rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('no plan');
  return nodesOf(plan).filter((node) => node['Actual Loops'] > 0);
};

export const isScan = (node: PlanNode) => node['Node Type'].includes('Scan');

/** Rows that a node has read. */
export const rowsRead = (node: PlanNode) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
