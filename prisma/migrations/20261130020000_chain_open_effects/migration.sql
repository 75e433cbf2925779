-- Every head asks which effects are not final yet; without this it would read every effect that ever was.
create index chain_effects_included on chain_effects (network_id, block_number) where state = 'included';
