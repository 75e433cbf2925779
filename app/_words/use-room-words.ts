'use client';

import { enRoom, type RoomWords } from './en-operator-room.ts';

/** The words of the operators' room. Staff read English; only who opens these pages downloads them. */
export function useRoomWords(): RoomWords {
  return enRoom;
}
