#pragma once
#include <jq.h>
#include <jv.h>
