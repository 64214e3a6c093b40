import { cardCalls } from '@farlink/contract/card/card.ts';
import { cardExportCalls } from '@farlink/contract/card/card-export.ts';
import { cardRuleCalls } from '@farlink/contract/card/card-rule.ts';
import { bind, bindAll } from '../../kit/http/serve.ts';
import type { JobKinds } from '../../kit/jobs/job.ts';
import { applyTermsJob } from './apply-terms.ts';
import { changeCards, listCards, revealCard } from './card.ts';
import { listRules, readRule, removeRule, ruleOptions, updateRule, voidRule } from './card-rule.ts';
import { expireCardsJob } from './expire-cards.ts';
import { exportCards, exportRules, listCardExports } from './export-cards.ts';
import { makeCardsJob } from './make-batch.ts';
import { makeCards } from './make-cards.ts';

export const cardBindings = [
  ...bindAll(cardRuleCalls, {
    list: listRules,
    make: makeCards,
    read: readRule,
    update: updateRule,
    remove: removeRule,
    void: voidRule,
    export: exportRules,
    option: ruleOptions,
  }),
  ...bindAll(cardCalls, { list: listCards, change: changeCards, reveal: revealCard, export: exportCards }),
  bind(cardExportCalls.list, listCardExports),
];

export const cardJobs: JobKinds = { make_cards: makeCardsJob, apply_card_terms: applyTermsJob, expire_cards: expireCardsJob };
